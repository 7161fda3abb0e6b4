import SystemPackage
import TexelCodecs

/// What was made of which input: the outputs that this watch wrote are its own to rename and to remove, no others.
struct WatchedOutputs {
    /// What has become of an input.
    private struct Record {
        var version: FileVersion
        /// What this watch wrote for it, and what that was then.
        var output: FilePath?
        var outputVersion: FileVersion?
    }

    private let target: OutputTarget
    private let format: ImageFormat?
    private var records: [FilePath: Record] = [:]
    private var paths: [FileVersion: FilePath] = [:]
    /// Which input has which output: the first that came.
    private var owners: [FilePath: FilePath] = [:]

    init(target: OutputTarget, format: ImageFormat?) {
        self.target = target
        self.format = format
    }

    /// All inputs of which anything is known.
    var inputs: some Sequence<FilePath> { records.keys }

    /// Whether this very state of an input was dealt with.
    func hasSeen(_ input: FilePath, _ version: FileVersion) -> Bool { records[input]?.version == version }

    /// Whether a file in this state was dealt with under any name.
    func knows(_ version: FileVersion) -> Bool { paths[version] != nil }

    /// The item of an input, called so that its output is no other input's.
    ///
    /// - Parameter path: where it can be read.
    mutating func item(_ input: FilePath, at path: FilePath) -> InputItem {
        let item = InputItem(path: path, relativePath: input)
        guard let output = Self.output(item, target, format) else { return item }
        if owners[output, default: input] == input {
            owners[output] = input
            return item
        }
        // It keeps its own extension before the new one, as in a batch.
        var other = item
        if let name = input.lastComponent, let own = input.extension,
            let twice = FilePath.Component("\(name.string).\(own)")
        {
            other.relativePath = input.removingLastComponent().appending(twice)
        }
        if let output = Self.output(other, target, format), owners[output] == nil { owners[output] = input }
        return other
    }

    /// Where the result of an item goes, where that can be known before it is read.
    private static func output(_ item: InputItem, _ target: OutputTarget, _ format: ImageFormat?) -> FilePath? {
        let destination = OutputNaming.destinations(for: [item], target: target, format: format).first
        return if case .file(let path) = destination { path } else { nil }
    }

    /// Whether the output of an item is there and not older than the input; where its name depends on what is in the
    /// input, it cannot be known.
    func isUpToDate(_ item: InputItem, _ version: FileVersion) -> Bool {
        guard let output = Self.output(item, target, format), let written = FileVersion(output) else { return false }
        return written.stamp.written >= version.stamp.written
    }

    /// An input was dealt with, without an output of its own.
    mutating func note(_ input: FilePath, _ version: FileVersion) {
        let former = records[input]
        forget(version: former?.version)
        // What was written before stays this watch's.
        records[input] = Record(version: version, output: former?.output, outputVersion: former?.outputVersion)
        paths[version] = input
    }

    /// An input was dealt with.
    ///
    /// - Returns: the output that it had before under another name, which has been removed.
    mutating func note(_ input: FilePath, _ version: FileVersion, wrote output: FilePath) -> FilePath? {
        let former = records[input]
        note(input, version)
        records[input]?.output = output
        records[input]?.outputVersion = FileVersion(output)
        owners[output] = input
        guard let former, let old = former.output, old != output else { return nil }
        if owners[old] == input { owners[old] = nil }
        return Self.isUnchanged(former) && removeFile(old) ? old : nil
    }

    /// Gives the output of an input that has another name now its new name as well.
    ///
    /// - Parameters:
    ///   - root: the watched folder.
    ///   - version: of the input under its new name.
    /// - Returns: the input's former name and its output's new one; `nil` where it must be worked on.
    mutating func follow(
        _ input: FilePath, in root: FilePath, _ version: FileVersion
    ) throws(FileError) -> (from: FilePath, output: FilePath)? {
        guard let former = paths[version], former != input, let record = records[former], let old = record.output,
            Self.isUnchanged(record), !root.pushing(former).exists
        else { return nil }
        let item = item(input, at: root.pushing(input))
        guard let output = Self.output(item, target, format), owners[output] == input else { return nil }
        if output != old {
            let from = try place(of: old, makesDirectories: false)
            let place = try place(of: output, makesDirectories: true)
            do throws(Errno) {
                try from.rename(to: place)
            } catch {
                throw .cannotCreate(output, error)
            }
        }
        records[former] = nil
        if owners[old] == former { owners[old] = nil }
        owners[output] = input
        records[input] = Record(version: version, output: output, outputVersion: record.outputVersion)
        paths[version] = input
        return (former, output)
    }

    /// An input has gone.
    ///
    /// - Parameter keepsOutput: whether what was written for it stays.
    /// - Returns: its output, where that was removed.
    mutating func remove(_ input: FilePath, keepsOutput: Bool) -> FilePath? {
        guard let record = records.removeValue(forKey: input) else { return nil }
        forget(version: record.version)
        guard let output = record.output else { return nil }
        if owners[output] == input { owners[output] = nil }
        guard !keepsOutput, Self.isUnchanged(record) else { return nil }
        return removeFile(output) ? output : nil
    }

    private mutating func forget(version: FileVersion?) {
        if let version { paths[version] = nil }
    }

    /// Whether the output is as it was written: what others put there is not touched.
    private static func isUnchanged(_ record: Record) -> Bool {
        guard let output = record.output, let version = record.outputVersion else { return false }
        return FileVersion(output) == version
    }

    private func removeFile(_ output: FilePath) -> Bool {
        (try? place(of: output, makesDirectories: false))?.remove() ?? false
    }

    /// Below the output folder nothing is reached through a link.
    private func place(of output: FilePath, makesDirectories: Bool) throws(FileError) -> FilePlace {
        guard let root = target.directory else { return FilePlace(output) }
        return try OpenDirectory.place(of: output, below: root, makesDirectories: makesDirectories)
    }
}
