public import SystemPackage

/// One picture that a call is to do.
public struct InputItem: Sendable {
    /// Where to read it; `-` is standard input. Of what is no file, what its file would be called.
    public var path: FilePath
    /// Its place below the directory that was named, or its bare name; mirrored in an output directory.
    public var relativePath: FilePath

    /// The folder that was walked to find it.
    let folder: FilePath?
    /// Where its bytes come from, where that is no file.
    private let other: (any ByteSource)?

    init(path: FilePath, relativePath: FilePath, folder: FilePath? = nil) {
        other = nil
        self.folder = folder
        self.path = path
        self.relativePath = relativePath
    }

    /// A file that was named itself.
    package init(_ path: FilePath) {
        self.init(path: path, relativePath: path.lastComponent.map { FilePath(root: nil, components: $0) } ?? path)
    }

    /// Something that is no file, such as what lies at an address.
    ///
    /// - Parameter fileName: what its file would be called; outputs are named after it.
    public init(_ source: any ByteSource, fileName: String?) {
        path = FilePath(fileName ?? "picture")
        relativePath = path
        other = source
        folder = nil
    }

    public static let standardInput = InputItem(path: "-", relativePath: "stdin")
    public var isStandardInput: Bool { other == nil && path == "-" }
    package var isFile: Bool { other == nil && path != "-" }

    /// Where the bytes come from.
    package var source: any ByteSource { other ?? (isStandardInput ? StandardInputSource() : FileSource(path)) }

    /// What people call it: a path, an address.
    public var name: String { other?.name ?? path.string }
}

extension InputItem: Hashable {
    public static func == (first: InputItem, second: InputItem) -> Bool {
        first.path == second.path && first.relativePath == second.relativePath
            && first.other?.identity == second.other?.identity
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(relativePath)
        hasher.combine(other?.identity)
    }
}
