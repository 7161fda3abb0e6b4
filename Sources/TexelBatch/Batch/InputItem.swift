public import SystemPackage
public import TexelPipeline

/// One input of a call.
public struct InputItem: Sendable {
    /// The path to read; `-` is standard input. For an input that is not a file, the name that it would have as a
    /// file.
    public var path: FilePath
    /// The path below the named directory, or the bare name; used for the same tree in an output directory.
    public var relativePath: FilePath

    /// The folder that was walked to find the input.
    let folder: FilePath?
    /// The source of the bytes, if the input is not a file.
    private let other: (any ByteSource)?

    init(path: FilePath, relativePath: FilePath, folder: FilePath? = nil) {
        other = nil
        self.folder = folder
        self.path = path
        self.relativePath = relativePath
    }

    /// Makes an item for a file that the user named.
    package init(_ path: FilePath) {
        self.init(path: path, relativePath: path.lastComponent.map { FilePath(root: nil, components: $0) } ?? path)
    }

    /// Makes an item for an input that is not a file, such as one at a URL.
    ///
    /// - Parameters:
    ///   - source: provides the bytes.
    ///   - fileName: the name it would have as a file, from which outputs are named.
    public init(_ source: any ByteSource, fileName: String?) {
        path = FilePath(fileName ?? "picture")
        relativePath = path
        other = source
        folder = nil
    }

    /// Standard input.
    public static let standardInput = InputItem(path: "-", relativePath: "stdin")
    /// Whether the bytes come from standard input.
    public var isStandardInput: Bool { other == nil && path == "-" }
    package var isFile: Bool { other == nil && path != "-" }

    /// Provides the bytes.
    package var source: any ByteSource {
        other ?? (isStandardInput ? StandardInputSource() : FileSource(path, isMapped: true))
    }

    /// The name for people: a path or an address.
    public var name: String { other?.name ?? path.string }
}

extension Replacement {
    /// The name must be free, or the user asked to replace what has it; but no input is ever replaced.
    package init(overwrites: Bool, except inputs: [InputItem]) {
        self.init(overwrites: overwrites, except: inputs.filter(\.isFile).map(\.path))
    }
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
