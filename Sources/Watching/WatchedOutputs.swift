import SystemPackage
import TexelBatch
import TexelCodecs
import TexelCore
import TexelPipeline

/// Records which output belongs to which input. Only outputs that this watch has written are ever renamed or removed;
/// others are replaced only if an earlier watch has written them.
struct WatchedOutputs {
    /// The last processed state of an input.
    private struct Record {
        var version: FileVersion
        /// The output that this watch wrote for the input, and its version then.
        var output: FilePath?
        var outputVersion: FileVersion?
    }

    private let store: DirectoryStore
    private let format: ImageFormat?
    private let journal: FileJob.Journal
    /// Whether any existing file may be replaced.
    private let overwrites: Bool
    private var records: [FilePath: Record] = [:]
    private var paths: [FileVersion: FilePath] = [:]
    /// The owner of each output name: the first input that took it.
    private var owners: [FilePath: FilePath] = [:]

    init(store: DirectoryStore, format: ImageFormat?, journal: FileJob.Journal, overwrites: Bool) {
        (self.store, self.format, self.journal, self.overwrites) = (store, format, journal, overwrites)
    }

    /// All recorded inputs.
    var inputs: some Sequence<FilePath> { records.keys }

    /// Whether exactly this state of the input has been processed.
    func hasSeen(_ input: FilePath, _ version: FileVersion) -> Bool { records[input]?.version == version }

    /// Whether a file in this state has been processed under any name.
    func knows(_ version: FileVersion) -> Bool { paths[version] != nil }

    /// Makes the item of an input, with a relative path whose output is not another input's.
    ///
    /// - Parameters:
    ///   - input: relative to the watched folder.
    ///   - path: where the input can be read.
    mutating func item(_ input: FilePath, at path: FilePath) -> InputItem {
        let item = InputItem(path: path, relativePath: input)
        guard let output = self.output(of: item) else { return item }
        if owners[output, default: input] == input {
            owners[output] = input
            return item
        }
        // As in a batch, the input's own extension is kept before the new one.
        var other = item
        if let name = input.lastComponent, let own = input.extension,
            let twice = FilePath.Component("\(name.string).\(own)")
        {
            other.relativePath = input.removingLastComponent().appending(twice)
        }
        if let output = self.output(of: other), owners[output] == nil { owners[output] = input }
        return other
    }

    /// The output of an item; `nil` if it depends on the input's contents.
    private func output(of item: InputItem) -> FilePath? {
        let name = store.names(of: [item], by: OutputNaming(format: format)).first
        return if case .path(let path) = name { path } else { nil }
    }

    /// Whether the item's output exists and is not older than the input; `false` if its name depends on the input's
    /// contents.
    func isUpToDate(_ item: InputItem, _ version: FileVersion) -> Bool {
        guard let output = self.output(of: item), let written = FileVersion(output) else { return false }
        return written.stamp.written >= version.stamp.written
    }

    /// Records that an input was processed without writing an output.
    mutating func note(_ input: FilePath, _ version: FileVersion) {
        let former = records[input]
        forget(version: former?.version)
        // An output that was written before still belongs to this watch.
        records[input] = Record(version: version, output: former?.output, outputVersion: former?.outputVersion)
        paths[version] = input
    }

    /// Records that an input was processed.
    ///
    /// - Returns: its former output, if that had another name and was removed.
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

    /// Renames the output of an input that was renamed.
    ///
    /// - Parameters:
    ///   - input: the new name, relative to `root`.
    ///   - root: the watched folder.
    ///   - version: the input's version under its new name.
    /// - Returns: the input's former name and its output's new one; `nil` if the input must be processed.
    mutating func follow(
        _ input: FilePath, in root: FilePath, _ version: FileVersion
    ) throws(TexelError) -> (from: FilePath, output: FilePath)? {
        guard let former = paths[version], former != input, let record = records[former], let old = record.output,
            Self.isUnchanged(record), !root.pushing(former).exists
        else { return nil }
        let item = item(input, at: root.pushing(input))
        guard let output = self.output(of: item), owners[output] == input else { return nil }
        if output != old {
            guard try move(old, to: output, of: root.pushing(input)) else { return nil }
            journal.manifest.finish(
                root.pushing(input), version.stamp, number: 0, settings: journal.settings, output: output)
        }
        records[former] = nil
        if owners[old] == former { owners[old] = nil }
        owners[output] = input
        records[input] = Record(version: version, output: output, outputVersion: record.outputVersion)
        paths[version] = input
        return (former, output)
    }

    /// Records that an input was removed, and removes its output.
    ///
    /// - Parameter keepsOutput: whether the output is kept.
    /// - Returns: the output, if it was removed.
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

    /// Whether the output is still as it was written. Files of other programs are not touched.
    private static func isUnchanged(_ record: Record) -> Bool {
        guard let output = record.output, let version = record.outputVersion else { return false }
        return FileVersion(output) == version
    }

    /// Renames an output of an input.
    ///
    /// - Returns: whether it was renamed; `false` if there is another file with the new name that must stay.
    private func move(_ old: FilePath, to new: FilePath, of input: FilePath) throws(TexelError) -> Bool {
        let (from, place) = (
            try place(of: old, makesDirectories: false), try place(of: new, makesDirectories: true)
        )
        let replaces = overwrites || journal.manifest.owns(new, by: input)
        do throws(Errno) {
            if replaces { try from.rename(to: place) } else { try from.renameToFreeName(place) }
        } catch {
            guard !replaces else { throw .cannotCreate(new, error) }
            return false
        }
        return true
    }

    private func removeFile(_ output: FilePath) -> Bool {
        (try? place(of: output, makesDirectories: false))?.remove() ?? false
    }

    /// Opens an output's folder without following links below the output folder.
    private func place(of output: FilePath, makesDirectories: Bool) throws(TexelError) -> FilePlace {
        try OpenDirectory.place(of: output, below: store.path, makesDirectories: makesDirectories)
    }
}
