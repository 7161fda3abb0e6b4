public import SystemPackage
public import TexelPipeline

/// One input of a call: a file, standard input, or any other source of bytes.
///
/// Only a file can be replaced by its result, have its result beside it, give it its times, and be skipped by a batch
/// that resumes.
public struct InputItem: Sendable {
    /// The path to read; `-` is standard input. For an input that is not a file, the name that it would have as a
    /// file.
    public let path: FilePath
    /// The path below the named directory, or the bare name; used for the same tree in an output directory.
    public var relativePath: FilePath

    /// The folder that was walked to find the input.
    let folder: FilePath?
    /// The file that a search found, in a folder or by a pattern; `nil` if the caller named the input.
    var finding: Finding?
    /// How long the bytes of standard input, a pipe or a device may take to arrive in a call without a time limit.
    package var arrivalLimit: Duration?
    private let source: any ByteSource

    /// - Parameter path: the name that the input would have as a file.
    package init(_ source: any ByteSource, path: FilePath, relativePath: FilePath, folder: FilePath? = nil) {
        (self.source, self.path, self.relativePath, self.folder) = (source, path, relativePath, folder)
    }

    /// A file that was found.
    struct Finding: Sendable {
        let identity: FileStatus.Identity
        /// Whether a symbolic link was found that leads to the file.
        let isLink: Bool
    }

    package init(path: FilePath, relativePath: FilePath, folder: FilePath? = nil) {
        self.init(FileSource(path), path: path, relativePath: relativePath, folder: folder)
    }

    /// Makes an item for a file.
    ///
    /// - Parameter path: the file; a link is followed. A pipe or a device is read until its end.
    public init(_ path: FilePath) { self.init(FileSource(path), fileName: nil) }

    /// Makes an item for any source of bytes, such as a file or a URL.
    ///
    /// - Parameters:
    ///   - source: provides the bytes. The item of a `FileSource` is a file, as with ``init(_:)``, and follows links if
    ///     the source does.
    ///   - fileName: the name from which outputs are named; `nil` for that of the file, or `picture`.
    public init(_ source: any ByteSource, fileName: String?) {
        let name = fileName.map { FilePath($0) }
        if let path = (source as? FileSource)?.path {
            let own = path.lastComponent.map { FilePath(root: nil, components: $0) } ?? path
            self.init(source, path: path, relativePath: name ?? own)
        } else {
            self.init(source, path: name ?? "picture", relativePath: name ?? "picture")
        }
    }

    /// Standard input.
    public static let standardInput = InputItem(StandardInputSource(), path: "-", relativePath: "stdin")

    /// Whether the bytes come from standard input.
    public var isStandardInput: Bool { source is StandardInputSource }
    /// The path of the file; `nil` for other inputs.
    package var filePath: FilePath? { source is FileSource ? path : nil }
    /// Identifies the file, whatever its name; `nil` for other inputs and missing files.
    package var identity: FileStatus.Identity? {
        filePath.flatMap { FileStatus($0, followsLinks: followsLinks)?.identity }
    }
    /// Whether a link at ``path`` is followed.
    var followsLinks: Bool { (source as? FileSource)?.followsLinks ?? true }

    /// Provides the bytes.
    ///
    /// - Parameter timeLimit: how long the bytes of standard input, a pipe or a device may take to arrive; `nil` for
    ///   ``arrivalLimit``. Other sources have limits of their own.
    package func source(within timeLimit: Duration?) -> any ByteSource {
        (source as? any PatientSource)?.waiting(atMost: timeLimit ?? arrivalLimit) ?? source
    }

    /// The name for people: a path or an address.
    public var name: String { source.name }
}

extension Replacement {
    /// The name must be free, or the user requested to replace the file of that name; but no input is ever replaced.
    package init(overwrites: Bool, except inputs: [InputItem]) {
        self.init(overwrites: overwrites, except: inputs.compactMap(\.filePath))
    }
}

extension InputItem: Hashable {
    public static func == (first: InputItem, second: InputItem) -> Bool {
        first.path == second.path && first.relativePath == second.relativePath
            && first.source.identity == second.source.identity
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(relativePath)
    }
}
