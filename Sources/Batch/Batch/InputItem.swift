public import SystemPackage
public import TexelPipeline

/// One input of a call: a file, standard input, or any other source of bytes.
///
/// Only a file can be replaced by its result, have its result beside it, give it its times, and be skipped by a batch
/// that resumes.
public struct InputItem: Sendable {
    /// The path to read; `-` is standard input. For an input that is not a file, the name that it would have as a
    /// file.
    public var path: FilePath
    /// The path below the named directory, or the bare name; used for the same tree in an output directory.
    public var relativePath: FilePath

    /// The folder that was walked to find the input.
    let folder: FilePath?
    /// Whether a search found the input, in a folder or by a pattern, so that the caller did not name it.
    var wasFound: Bool
    private let origin: Origin
    /// How long the bytes of standard input, a pipe or a device may take to arrive in a call without a time limit.
    package var arrivalLimit: Duration?

    /// Where the bytes come from.
    fileprivate enum Origin: Sendable {
        /// The file at ``path``.
        case file(followsLinks: Bool)
        case standardInput
        case other(any ByteSource)
    }

    private init(path: FilePath, relativePath: FilePath, folder: FilePath?, _ origin: Origin) {
        self.path = path
        self.relativePath = relativePath
        self.folder = folder
        wasFound = folder != nil
        self.origin = origin
    }

    init(path: FilePath, relativePath: FilePath, folder: FilePath? = nil) {
        self.init(path: path, relativePath: relativePath, folder: folder, .file(followsLinks: true))
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
        if let file = source as? FileSource {
            let own = file.path.lastComponent.map { FilePath(root: nil, components: $0) } ?? file.path
            self.init(
                path: file.path, relativePath: name ?? own, folder: nil, .file(followsLinks: file.followsLinks))
        } else {
            let path = name ?? "picture"
            self.init(path: path, relativePath: path, folder: nil, .other(source))
        }
    }

    /// Standard input.
    public static let standardInput = InputItem(path: "-", relativePath: "stdin", folder: nil, .standardInput)

    /// Whether the bytes come from standard input.
    public var isStandardInput: Bool { if case .standardInput = origin { true } else { false } }
    package var isFile: Bool { if case .file = origin { true } else { false } }
    /// Identifies the file, whatever its name; `nil` for other inputs and missing files.
    package var identity: FileStatus.Identity? { isFile ? FileStatus(path, followsLinks: followsLinks)?.identity : nil }
    /// Whether a link at ``path`` is followed.
    var followsLinks: Bool { if case .file(let followsLinks) = origin { followsLinks } else { true } }

    /// Provides the bytes.
    ///
    /// - Parameter timeLimit: how long the bytes of standard input, a pipe or a device may take to arrive; `nil` for
    ///   ``arrivalLimit``. Other sources have limits of their own.
    package func source(within timeLimit: Duration?) -> any ByteSource {
        let timeLimit = timeLimit ?? arrivalLimit
        return switch origin {
        case .file(let followsLinks):
            FileSource(path, followsLinks: followsLinks, isMapped: true, timeLimit: timeLimit)
        case .standardInput: StandardInputSource(timeLimit: timeLimit)
        case .other(let source): source
        }
    }

    /// The name for people: a path or an address.
    public var name: String { if case .other(let source) = origin { source.name } else { path.string } }
}

extension Replacement {
    /// The name must be free, or the user requested to replace the file of that name; but no input is ever replaced.
    package init(overwrites: Bool, except inputs: [InputItem]) {
        self.init(overwrites: overwrites, except: inputs.filter(\.isFile).map(\.path))
    }
}

extension InputItem: Hashable {
    public static func == (first: InputItem, second: InputItem) -> Bool {
        first.path == second.path && first.relativePath == second.relativePath && first.origin == second.origin
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(relativePath)
        hasher.combine(origin)
    }
}

extension InputItem.Origin: Hashable {
    static func == (first: Self, second: Self) -> Bool {
        switch (first, second) {
        case (.file(let first), .file(let second)): first == second
        case (.standardInput, .standardInput): true
        case (.other(let first), .other(let second)): first.identity == second.identity
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        if case .other(let source) = self { hasher.combine(source.identity) }
    }
}
