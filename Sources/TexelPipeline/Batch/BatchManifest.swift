import Synchronization
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What batches have written into a directory, in a file beside the results, so that a batch that was interrupted goes
/// on where it ended: only what is missing or has changed is done again.
///
/// Each output is named before it is written and again when it is done, with the size and the time of the input and of
/// the output. So a later batch knows which files are its own, whole or not, and may replace those.
public final class BatchManifest: Sendable {
    /// Lies in the directory of the results.
    public static let fileName = ".texel-manifest"

    /// How many lines made no sense; what they told is done again.
    public let ignoredLineCount: Int

    private let path: FilePath
    /// As it was named; outputs are called alike.
    private let root: FilePath
    /// From the file system's root, with a slash at the end.
    private let directory: String
    /// Of names that are not absolute.
    private let workingDirectory: String
    /// Stays for a later batch, whatever comes.
    private let isKept: Bool
    private let contents: ManifestContents
    /// Directories that were made for the manifest; they are removed if they stay empty.
    private let madeDirectories: [FilePath]
    /// Outputs that the manifest knows; collected when somebody asks.
    private let known = Mutex<[String: [FileStamp]]?>(nil)
    private let state: Mutex<State>

    private struct State {
        /// `nil` where nothing is written, or nothing yet.
        var file: ManifestFile?
        /// Whether the file is made when there is something to write.
        var mayBegin: Bool
        /// Whether there is no header yet.
        var isEmpty: Bool
        /// Whether the last line may be a part of one.
        var isTorn: Bool
        var error: ManifestError?
    }

    /// Opens the manifest of a directory and takes its lock.
    ///
    /// A missing manifest is made with the first output, or at once to resume: the lock keeps a second batch from the
    /// same directory, and there must be a file to lock. Then the directory is made too if it is missing.
    ///
    /// - Parameters:
    ///   - directory: of the results.
    ///   - isResuming: whether what it tells is done. Otherwise it is only written, and a new one is removed when all
    ///     is done.
    ///   - isReadOnly: nothing is made, written or locked.
    /// - Throws: `ManifestError`.
    public init(in directory: FilePath, isResuming: Bool, isReadOnly: Bool = false) throws(ManifestError) {
        path = directory.appending(Self.fileName)
        root = directory
        workingDirectory = ManifestFile.workingDirectory
        self.directory = Self.absolute(directory.string, in: workingDirectory) + "/"
        let isThere = FileStatus(path, followsLinks: false) != nil
        let isMade = isResuming && !isReadOnly && !isThere
        madeDirectories = isMade ? try Self.make(directory) : []
        var file = isReadOnly || !isThere && !isMade ? nil : try ManifestFile(path)
        let bytes = try ManifestFile.contents(of: path)
        isKept = isResuming || !bytes.isEmpty
        let contents = ManifestContents(bytes)
        guard contents.isManifest else { throw .foreign(path) }
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
                isTorn: !contents.endsWithLine && !isRenewed))
        // Only what was lost counts for one that does not resume: nothing is done.
        self.contents = isResuming ? contents : ManifestContents([])
    }

    /// Called when the batch has ended.
    ///
    /// - Parameter isComplete: whether everything was done, so that there is nothing to resume.
    func end(isComplete: Bool) {
        state.withLock { state in
            if state.file != nil, state.isEmpty || isComplete && !isKept { FilePlace(path).remove() }
            state.file = nil
            // Those that hold an output stay.
            for directory in madeDirectories { directory.withPlatformString { _ = rmdir($0) } }
            state.mayBegin = false
        }
    }

    /// Makes a directory and those above it.
    ///
    /// - Returns: those that were missing, the lowest first.
    private static func make(_ directory: FilePath) throws(ManifestError) -> [FilePath] {
        var missing: [FilePath] = []
        var next = directory
        while !next.isEmpty, !next.exists {
            missing.append(next)
            next = next.removingLastComponent()
        }
        do throws(FileError) {
            try directory.makeDirectories()
        } catch {
            throw .cannotWrite(directory.appending(fileName), error.errno ?? .ioError)
        }
        return missing
    }

    // MARK: Reading

    /// Where the results of an input are that are done: written by the same settings, and neither the input nor the
    /// result has changed since.
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

    /// Whether an existing file was written by a batch, and by nobody since; such a file may be replaced.
    func owns(_ output: FilePath) -> Bool {
        let stamps = known.withLock { known in
            let all = known ?? contents.known
            known = all
            return all[outputName(output)]
        }
        guard let stamps else { return false }
        return stamps.isEmpty || FileStamp(output).map(stamps.contains) == true
    }

    // MARK: Writing

    /// Why some results could not be written down; a later batch does them again, or finds names that are taken.
    public var writeError: ManifestError? { state.withLock { $0.error } }

    /// Says that an output is about to be written.
    func begin(_ output: FilePath) { append(.begun(output: outputName(output))) }

    /// Says that an output is done.
    ///
    /// - Parameter stamp: of the input, as it was before it was read.
    func finish(_ input: FilePath, _ stamp: FileStamp, number: Int, settings: UInt64, output: FilePath) {
        guard let written = FileStamp(output) else { return }
        let entry = ManifestEntry(settings: settings, input: stamp, output: written, outputName: outputName(output))
        append(.done(ManifestKey(input: inputName(input), number: number), entry))
    }

    /// Says that an output which was begun is another's: what is there is not this batch's to replace.
    func withdraw(_ input: FilePath, number: Int, settings: UInt64, output: FilePath) {
        // No output is empty.
        let none = FileStamp(byteCount: 0, nanoseconds: 0)
        let entry = ManifestEntry(settings: settings, input: none, output: none, outputName: outputName(output))
        append(.done(ManifestKey(input: inputName(input), number: number), entry))
    }

    private func append(_ line: ManifestLine) {
        state.withLock { state in
            if state.mayBegin {
                state.mayBegin = false
                do throws(ManifestError) { state.file = try ManifestFile(path) } catch {
                    state.error = error
                }
            }
            guard let file = state.file else { return }
            let beginning = state.isEmpty ? ManifestLine.header + "\n" : state.isTorn ? "\n" : ""
            do throws(Errno) {
                try file.append(beginning + line.text + "\n")
                state.isEmpty = false
                state.isTorn = false
            } catch {
                state.isTorn = true
                state.error = .cannotWrite(path, error)
            }
        }
    }

    // MARK: Names

    private func inputName(_ path: FilePath) -> String {
        let text = path.string
        if Self.isText(text) { return ManifestLine.name(Self.absolute(text, in: workingDirectory)) }
        return ManifestLine.name(bytes: FilePath(workingDirectory).pushing(path).lexicallyNormalized().bytes)
    }

    /// Without the manifest's directory, which may be moved.
    private func outputName(_ path: FilePath) -> String {
        let text = path.string
        guard Self.isText(text) else {
            guard let names = path.relative(to: root) else { return inputName(path) }
            return ManifestLine.name(bytes: names.reduce(FilePath()) { $0.appending($1) }.bytes)
        }
        let name = Self.absolute(text, in: workingDirectory)
        return ManifestLine.name(name.hasPrefix(directory) ? String(name.dropFirst(directory.count)) : name)
    }

    private func path(ofOutput name: String) -> FilePath {
        let path = ManifestLine.path(of: name)
        return path.isAbsolute ? path : root.pushing(path)
    }

    /// Whether a path's text is all there is to it: bytes that are no text stand in it as replacement characters.
    private static func isText(_ text: String) -> Bool {
        !text.utf8.contains(0xEF) || !text.unicodeScalars.contains("\u{FFFD}")
    }

    private static func absolute(_ path: String, in workingDirectory: String) -> String {
        let whole = path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
        // Most paths are in order, and looking is faster than putting in order: a slash is followed by a name.
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

/// Why a manifest cannot be used.
public enum ManifestError: Error, Sendable, Hashable {
    /// Another process works on the same directory.
    case inUse(FilePath)
    /// A file of that name is there, and is none.
    case foreign(FilePath)
    case cannotRead(FilePath, Errno)
    case cannotWrite(FilePath, Errno)
}

extension ManifestError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .inUse(let path):
            "another texel writes into \(path.removingLastComponent()); wait until it is done, or name another directory"
        case .foreign(let path): "\(path) is no manifest of texel; move it away, or name another directory"
        case .cannotRead(let path, let errno): "\(path) cannot be read: \(errno)"
        case .cannotWrite(let path, let errno): "\(path) cannot be written: \(errno)"
        }
    }
}
