public import SystemPackage
import TexelCodecs

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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

/// Turns what was named into files: directories are walked, patterns matched.
public enum InputExpansion {
    /// The items of all arguments, and what could not be found.
    public struct Outcome: Sendable {
        public var items: [InputItem] = []
        public var failures: [FileError] = []
        /// Whether one of the arguments was a directory that was walked or a pattern, so that even a single item is one of many.
        public var isOpenEnded = false
    }

    /// - Parameters:
    ///   - isRecursive: whether directories may be walked; without it a directory is a failure.
    ///   - others: what arguments mean that name no files.
    ///   - path: what an argument names, where it is a file.
    public static func expand(
        _ arguments: [String], isRecursive: Bool, others: [String: InputItem] = [:],
        path: (String) -> FilePath = { FilePath($0) }
    ) -> Outcome {
        var outcome = Outcome()
        for argument in arguments {
            let path = path(argument)
            if let item = others[argument] {
                outcome.items.append(item)
            } else if argument == "-" {
                outcome.items.append(.standardInput)
            } else if path.isDirectory {
                if isRecursive {
                    outcome.isOpenEnded = true
                    outcome.items += pictures(below: path)
                } else {
                    outcome.failures.append(.isDirectory(path))
                }
            } else if path.exists {
                outcome.items.append(InputItem(path))
            } else if let matches = matches(of: argument) {
                outcome.isOpenEnded = true
                outcome.items += matches.filter { !$0.isDirectory }.map { InputItem($0) }
            } else {
                outcome.failures.append(.missing(path))
            }
        }
        return outcome
    }

    /// What the shell would have matched; `nil` where it is no pattern or matches nothing.
    private static func matches(of pattern: String) -> [FilePath]? {
        guard pattern.contains(where: { "*?[".contains($0) }) else { return nil }
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return nil }
        return (0..<Int(result.gl_pathc)).compactMap { index in
            result.gl_pathv[index].map { FilePath(platformString: $0) }
        }
    }

    /// All pictures below a directory, sorted by path: files whose extension promises one, whatever they hold, and
    /// files without such an extension that hold one. Hidden files and links to directories are left out.
    private static func pictures(below root: FilePath) -> [InputItem] {
        var items: [(path: String, item: InputItem)] = []
        var pending: [FilePath] = [""]
        while let directory = pending.popLast() {
            for entry in (try? listing(of: root.pushing(directory))) ?? [] where !entry.isHidden {
                let relative = directory.appending(entry.name)
                let path = root.pushing(relative)
                if entry.isDirectory(at: path) {
                    if !entry.isLink(at: path) { pending.append(relative) }
                } else if isPicture(path) {
                    items.append((path.string, InputItem(path: path, relativePath: relative, folder: root)))
                }
            }
        }
        return items.sorted { $0.path < $1.path }.map(\.item)
    }

    /// Whether the extension promises a picture, or the content is one.
    static func isPicture(_ path: FilePath) -> Bool {
        if let name = path.extension, ImageFormat(fileExtension: name) != nil { return true }
        return (try? ImageFormat(sniffing: InputReader.head(of: path))) != nil
    }

    /// What lies in a directory, in any order; hidden files too.
    ///
    /// - Throws: `missing`, `cannotRead`.
    package static func names(in directory: FilePath) throws(FileError) -> [String] {
        try entries(of: directory).map(\.string)
    }

    /// The same, byte for byte: names need not be text.
    static func entries(of directory: FilePath) throws(FileError) -> [FilePath.Component] {
        try listing(of: directory).map(\.name)
    }

    /// A name in a directory, and what the directory says of it.
    private struct Entry {
        let name: FilePath.Component
        /// `DT_UNKNOWN` where the file system does not tell.
        let kind: Int

        var isHidden: Bool { name.string.hasPrefix(".") }

        /// Whether it is one, or a link to one.
        func isDirectory(at path: FilePath) -> Bool {
            kind == Int(DT_DIR) || kind != Int(DT_REG) && path.isDirectory
        }

        func isLink(at path: FilePath) -> Bool { kind != Int(DT_DIR) && path.isLink }
    }

    private static func listing(of directory: FilePath) throws(FileError) -> [Entry] {
        guard let stream = directory.withPlatformString({ opendir($0) }) else {
            throw Errno.current == .noSuchFileOrDirectory ? .missing(directory) : .cannotRead(directory, .current)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // A name of at most 255 bytes, and its end.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath.Component(platformString: $0) }
            }
            if let name { entries.append(Entry(name: name, kind: Int(entry.pointee.d_type))) }
        }
        return entries
    }
}
