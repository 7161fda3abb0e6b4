import PlatformLibc
import Synchronization
public import SystemPackage
public import TexelCore
package import TexelPipeline

/// Records what batches have written into a directory, in a file beside the results, so that an interrupted batch can
/// be resumed: only missing and changed results are made again.
///
/// Each output is recorded before it is written, and again when it is done, with the size and modification time of
/// the input and the output. So a later batch knows which files an earlier one wrote, complete or not, and may
/// replace them.
public final class BatchManifest: Sendable {
    /// The name of the manifest in the directory of the results.
    public static let fileName = ".texel-manifest"

    /// The number of invalid lines; the results they were about are made again.
    public let ignoredLineCount: Int

    private let path: FilePath
    /// The directory as the user named it; outputs have the same prefix.
    private let root: FilePath
    /// The directory and those above it, the innermost first.
    private let ancestors: [Ancestor]
    /// The base of relative paths.
    private let workingDirectory: String
    /// Whether the manifest is kept even if the batch completes.
    private let isKept: Bool
    /// Whether results are replaced while the manifest is open, for as long as a program runs.
    private let isContinuous: Bool
    private let contents: ManifestContents
    /// Directories created for the manifest; removed if they stay empty.
    private let madeDirectories: [FilePath]
    /// The outputs in the manifest; collected on first use.
    private let known = Mutex<[String: [ManifestContents.Origin]]?>(nil)
    private let state: Mutex<State>

    private struct State {
        /// `nil` if nothing is written, or nothing has been written yet.
        var file: ManifestFile?
        /// Whether to create the file when there is something to write.
        var mayBegin: Bool
        /// Whether the header has not been written yet.
        var isEmpty: Bool
        /// Whether the last line may be incomplete.
        var isTorn: Bool
        var error: TexelError?
        var lineCount: Int
        /// The number of lines from which a continuous manifest is written anew.
        var longestLineCount: Int
    }

    /// Opens the manifest of a directory and locks it.
    ///
    /// A missing manifest is created with the first output. To resume, it is created at once, with its directory: the
    /// lock keeps a second batch out of the directory, and requires a file.
    ///
    /// - Parameters:
    ///   - directory: the directory of the results.
    ///   - isResuming: whether recorded results are not made again. If not, the manifest is only written, and a new
    ///     one is removed when all results are done.
    ///   - isReadOnly: whether nothing is created, written or locked.
    /// - Throws: `TexelError`.
    public convenience init(
        in directory: FilePath, isResuming: Bool, isReadOnly: Bool = false
    ) throws(TexelError) {
        try self.init(in: directory, isResuming: isResuming, isReadOnly: isReadOnly, isContinuous: false)
    }

    /// Opens the manifest of a directory into which results are written for as long as a program runs. It does not
    /// grow with their number, but with that of the files.
    ///
    /// - Throws: `TexelError`.
    package convenience init(continuousIn directory: FilePath) throws(TexelError) {
        try self.init(in: directory, isResuming: true, isReadOnly: false, isContinuous: true)
    }

    private init(
        in directory: FilePath, isResuming: Bool, isReadOnly: Bool, isContinuous: Bool
    ) throws(TexelError) {
        self.isContinuous = isContinuous
        path = directory.appending(Self.fileName)
        root = directory
        workingDirectory = ManifestFile.workingDirectory
        ancestors = Ancestor.all(of: Self.absolute(directory.string, in: workingDirectory))
        let isThere = FileStatus(path, followsLinks: false) != nil
        let isMade = isResuming && !isReadOnly && !isThere
        madeDirectories = isMade ? try Self.make(directory) : []
        var file = isReadOnly || !isThere && !isMade ? nil : try ManifestFile(path)
        let bytes = try ManifestFile.contents(of: path)
        isKept = isResuming || !bytes.isEmpty
        let contents = ManifestContents(bytes)
        guard contents.isManifest else { throw .foreignManifest(path) }
        ignoredLineCount = contents.ignoredLineCount
        let isRenewed = file != nil && contents.isWasteful
        if isRenewed {
            try ManifestFile.replace(path, contents.text)
            file = nil
            file = try ManifestFile(path)
        }
        state = Mutex(
            State(
                file: file, mayBegin: !isReadOnly && !isThere && !isMade, isEmpty: bytes.isEmpty,
                isTorn: !contents.endsWithLine && !isRenewed, lineCount: contents.lineCount,
                longestLineCount: contents.wastefulLineCount))
        // A batch that does not resume needs only the number of ignored lines.
        self.contents = isResuming ? contents : ManifestContents([])
    }

    /// Closes the manifest at the end of the batch.
    ///
    /// - Parameter isComplete: whether all results were made, so that there is nothing to resume.
    package func end(isComplete: Bool) {
        state.withLock { state in
            if state.file != nil, state.isEmpty || isComplete && !isKept { FilePlace(path).remove() }
            state.file = nil
            // `rmdir` does not remove directories that contain an output.
            for directory in madeDirectories { directory.withPlatformString { _ = rmdir($0) } }
            state.mayBegin = false
        }
    }

    /// Creates a directory and missing ones above it.
    ///
    /// - Returns: the directories created, the lowest first.
    private static func make(_ directory: FilePath) throws(TexelError) -> [FilePath] {
        var missing: [FilePath] = []
        var next = directory
        while !next.isEmpty, !next.exists {
            missing.append(next)
            next = next.removingLastComponent()
        }
        do throws(TexelError) {
            try directory.makeDirectories()
        } catch {
            throw .cannotWriteManifest(directory.appending(fileName), error.errno ?? .ioError)
        }
        return missing
    }

    // MARK: Reading

    /// The outputs of an input that are done, by recipe: written with the same settings, with input and output
    /// unchanged since.
    func finished(_ input: FilePath, count: Int, settings: UInt64) -> [Int: FilePath] {
        guard !contents.done.isEmpty else { return [:] }
        let name = inputName(input)
        var found: [Int: FilePath] = [:]
        var stamp: FileStamp?
        for number in 0..<count {
            guard let entry = contents.done[ManifestKey(input: name, number: number)], entry.settings == settings else {
                continue
            }
            if stamp == nil { stamp = FileStamp(input) }
            let output = path(ofOutput: entry.outputName)
            guard entry.input == stamp, FileStamp(output) == entry.output else { continue }
            found[number] = output
        }
        return found
    }

    /// Whether an existing file was written by a batch for an input and not changed since, so that a new result of the
    /// input may replace it.
    package func owns(_ output: FilePath, by input: FilePath) -> Bool {
        let origins = known.withLock { known in
            if known == nil { known = contents.known }
            return known?[outputName(output)]
        }
        guard let origins else { return false }
        let name = inputName(input)
        return origins.contains { origin in
            origin.input == name && (origin.output == nil || origin.output == FileStamp(output))
        }
    }

    // MARK: Writing

    /// The error that kept some results from being recorded. A later batch makes these again, or finds their names
    /// taken.
    public var writeError: TexelError? { state.withLock { $0.error } }

    /// Records that an output of an input is about to be written.
    func begin(_ input: FilePath, output: FilePath) {
        let (input, output) = (inputName(input), outputName(output))
        note(output, ManifestContents.Origin(input: input))
        append(.begun(input: input, output: output))
    }

    /// Records that an output is done.
    ///
    /// - Parameter stamp: the input's stamp before it was read.
    package func finish(_ input: FilePath, _ stamp: FileStamp, number: Int, settings: UInt64, output: FilePath) {
        guard let written = FileStamp(output) else { return }
        let entry = ManifestEntry(settings: settings, input: stamp, output: written, outputName: outputName(output))
        append(entry, for: ManifestKey(input: inputName(input), number: number))
    }

    /// Records that another program created an output after ``begin(_:output:)``; this batch must not replace it.
    func withdraw(_ input: FilePath, number: Int, settings: UInt64, output: FilePath) {
        // A stamp that no output has, because outputs are never empty.
        let none = FileStamp(byteCount: 0, nanoseconds: 0)
        let entry = ManifestEntry(settings: settings, input: none, output: none, outputName: outputName(output))
        append(entry, for: ManifestKey(input: inputName(input), number: number))
    }

    private func append(_ entry: ManifestEntry, for key: ManifestKey) {
        note(entry.outputName, ManifestContents.Origin(input: key.input, output: entry.output))
        append(.done(key, entry))
    }

    /// Lets ``owns(_:by:)`` know an output of this run. In a batch, no output is written twice.
    private func note(_ name: String, _ origin: ManifestContents.Origin) {
        guard isContinuous else { return }
        known.withLock { known in
            if known == nil { known = contents.known }
            known?[name] = [origin]
        }
    }

    private func append(_ line: ManifestLine) {
        state.withLock { state in
            if isContinuous { prepare(&state) }
            if state.mayBegin {
                state.mayBegin = false
                do throws(TexelError) { state.file = try ManifestFile(path) } catch {
                    state.error = error
                    // The next line tries again.
                    state.mayBegin = isContinuous
                }
            }
            guard let file = state.file else { return }
            let beginning = state.isEmpty ? ManifestLine.header + "\n" : state.isTorn ? "\n" : ""
            do throws(Errno) {
                try file.append(beginning + line.text + "\n")
                state.isEmpty = false
                state.isTorn = false
                state.lineCount += 1
            } catch {
                state.isTorn = true
                state.error = .cannotWriteManifest(path, error)
            }
        }
    }

    /// Prepares a continuous manifest for its next line: begins a new one if the file was removed, with the directory
    /// for example, and removes superseded lines and those of results that are gone, if there are many.
    private func prepare(_ state: inout State) {
        guard let file = state.file else { return }
        if file.isRemoved {
            (state.file, state.mayBegin, state.isEmpty, state.isTorn) = (nil, true, true, false)
        } else if state.lineCount > state.longestLineCount {
            do throws(TexelError) {
                var contents = ManifestContents(try ManifestFile.contents(of: path))
                contents.removeResults { FileStamp(path(ofOutput: $0.outputName)) != $0.output }
                try ManifestFile.replace(path, contents.text)
                (state.file, state.mayBegin, state.isTorn) = (nil, true, false)
                state.lineCount = 0
                state.longestLineCount = contents.wastefulLineCount
            } catch {
                state.error = error
                state.longestLineCount += state.lineCount
            }
        }
    }

    // MARK: Names

    /// Returns the name relative to the manifest's directory, so that inputs and results can be moved together and the
    /// manifest does not reveal where they were.
    private func inputName(_ path: FilePath) -> String {
        let text = path.string
        guard Self.isText(text) else {
            let bytes = FilePath(workingDirectory).pushing(path).lexicallyNormalized().bytes
            guard let ancestor = ancestors.first(where: { bytes.starts(with: $0.path.utf8) }) else {
                return ManifestLine.name(bytes: bytes)
            }
            return ManifestLine.name(bytes: Array(ancestor.wayUp.utf8) + bytes.dropFirst(ancestor.path.utf8.count))
        }
        let name = Self.absolute(text, in: workingDirectory)
        guard let ancestor = ancestors.first(where: { name.utf8.starts(with: $0.path.utf8) }) else {
            return ManifestLine.name(name)
        }
        return ManifestLine.name(ancestor.wayUp + Substring(name.utf8.dropFirst(ancestor.path.utf8.count)))
    }

    private func outputName(_ path: FilePath) -> String {
        // The directory's own name may not be valid UTF-8.
        guard !Self.isText(path.string), let names = path.relative(to: root) else { return inputName(path) }
        return ManifestLine.name(bytes: names.reduce(FilePath()) { $0.appending($1) }.bytes)
    }

    /// The directory of the results, or one above it.
    private struct Ancestor {
        /// The absolute path, with a slash at the end.
        let path: String
        /// The relative path from the results to it: `../` for each directory.
        let wayUp: String

        /// - Parameter directory: the absolute path, without a slash at the end.
        static func all(of directory: String) -> [Ancestor] {
            var path = directory.hasSuffix("/") ? directory : directory + "/"
            var result: [Ancestor] = []
            var wayUp = ""
            while true {
                result.append(Ancestor(path: path, wayUp: wayUp))
                guard let slash = path.dropLast().lastIndex(of: "/") else { return result }
                path = String(path[...slash])
                wayUp += "../"
            }
        }
    }

    private func path(ofOutput name: String) -> FilePath {
        let path = ManifestLine.path(of: name)
        return path.isAbsolute ? path : root.pushing(path)
    }

    /// Whether a path is valid text. In the text of other paths, replacement characters stand for invalid bytes.
    private static func isText(_ text: String) -> Bool {
        !text.utf8.contains(0xEF) || !text.unicodeScalars.contains("\u{FFFD}")
    }

    private static func absolute(_ path: String, in workingDirectory: String) -> String {
        let whole = path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
        // The check is faster than normalising, and most paths are normal already: no slash is followed by a slash or
        // a dot.
        var follows = UInt8(ascii: "/")
        for byte in whole.utf8.reversed() {
            if byte == UInt8(ascii: "/"), follows == UInt8(ascii: "/") || follows == UInt8(ascii: ".") {
                return FilePath(whole).lexicallyNormalized().string
            }
            follows = byte
        }
        return whole
    }
}
