import PlatformLibc
public import SystemPackage
public import TexelPipeline

/// Finds the files that arguments stand for: walks directories and matches patterns.
public enum InputExpansion {
    /// The items of all arguments, and what could not be found.
    public struct Outcome: Sendable {
        /// Each file once, even if it was named several times.
        public var items: [InputItem] = []
        /// Arguments, directories and files that could not be read.
        public var failures: [FileError] = []
        /// Whether an argument was a directory that was walked or a pattern, so that results are named as for several
        /// inputs even if there is one item.
        public var isOpenEnded = false
        /// The number of files in the walked directories that are not images that Texel reads, without hidden files.
        public var otherFileCount = 0

        /// Removes images that an earlier call appears to have written beside its inputs: images found in directories
        /// whose name is that of another image there, followed by the suffix of a result.
        ///
        /// - Parameter hasSeveralWidths: whether each input has several results. Only then are names such as
        ///   `photo-640w.jpg` taken for results: they may as well come from somewhere else.
        /// - Returns: how many were removed.
        package mutating func removeOutputsBesideInputs(hasSeveralWidths: Bool) -> Int {
            func place(_ item: InputItem) -> String {
                "\(item.path.removingLastComponent())/\(item.path.stem ?? "")"
            }
            let places = Set(items.map(place))
            let count = items.count
            items.removeAll { item in
                guard item.folder != nil else { return false }
                return OutputNaming.namesOfInput(place(item), hasSeveralWidths: hasSeveralWidths).contains { input in
                    places.contains(input)
                }
            }
            return count - items.count
        }

        /// Whether all arguments were directories without images.
        package var isEmpty: Bool {
            let areEmpty = failures.allSatisfy { if case .noImagesFound = $0 { true } else { false } }
            return items.isEmpty && !failures.isEmpty && areEmpty
        }
    }

    /// Finds the files of all arguments.
    ///
    /// - Parameters:
    ///   - arguments: paths, patterns, `-` for standard input, and keys of `others`.
    ///   - isRecursive: whether directories are walked; if not, a directory is a failure.
    ///   - others: the items of arguments that are not files.
    ///   - path: converts an argument to the path of a file.
    public static func expand(
        _ arguments: [String], isRecursive: Bool, others: [String: InputItem] = [:],
        path: (String) -> FilePath = { FilePath($0) }
    ) -> Outcome {
        var search = InputSearch(isRecursive: isRecursive)
        for argument in arguments {
            let path = path(argument)
            if let item = others[argument] {
                search.add(item)
            } else if argument == "-" {
                search.add(.standardInput)
            } else if let status = FileStatus(path) {
                search.add(path, isDirectory: status.isDirectory)
            } else {
                let error = Errno.current
                if let matches = matches(of: argument) {
                    search.outcome.isOpenEnded = true
                    for match in matches { search.add(match, isDirectory: match.isDirectory) }
                } else {
                    search.fail(FileError(path, unreadable: error))
                }
            }
        }
        return search.outcome
    }

    /// The files that a shell would match; `nil` if the argument is not a pattern or matches nothing.
    private static func matches(of pattern: String) -> [FilePath]? {
        guard pattern.contains(where: { "*?[".contains($0) }) else { return nil }
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return nil }
        return (0..<Int(result.gl_pathc)).compactMap { index in
            result.gl_pathv[index].map { FilePath(platformString: $0) }
        }
    }
}

/// Collects the files of one call.
private struct InputSearch {
    var outcome = InputExpansion.Outcome()
    private let isRecursive: Bool
    private var names: Set<CanonicalName> = []
    private var sources: Set<InputItem> = []
    private var failed: Set<FileError> = []
    private var folders = CanonicalName.Folders()

    init(isRecursive: Bool) { self.isRecursive = isRecursive }

    mutating func fail(_ error: FileError) {
        if failed.insert(error).inserted { outcome.failures.append(error) }
    }

    /// Adds an item, unless it has been added.
    mutating func add(_ item: InputItem) {
        let isNew =
            item.isFile
            ? names.insert(folders.name(of: item.path)).inserted : sources.insert(item).inserted
        if isNew { outcome.items.append(item) }
    }

    mutating func add(_ path: FilePath, isDirectory: Bool) {
        guard isDirectory else { return add(InputItem(path)) }
        guard isRecursive else { return fail(.isDirectory(path)) }
        let walk = DirectoryWalk(path)
        outcome.isOpenEnded = true
        outcome.otherFileCount += walk.otherFileCount
        for item in walk.items { add(item) }
        for failure in walk.failures { fail(failure) }
        if walk.items.isEmpty, walk.failures.isEmpty { fail(.noImagesFound(path)) }
    }
}

/// One name for all spellings of a path: `a.jpg`, `./a.jpg`, `../here/a.jpg`. Links to files keep their own names.
private struct CanonicalName: Hashable {
    private let folder: FilePath
    private let name: FilePath.Component?

    /// The canonical paths of folders that have been resolved.
    struct Folders {
        private var known: [FilePath: FilePath] = [:]

        mutating func name(of path: FilePath) -> CanonicalName {
            let parent = path.removingLastComponent()
            let folder = known[parent] ?? Self.resolved(parent.isEmpty ? "." : parent)
            known[parent] = folder
            return CanonicalName(folder: folder, name: path.lastComponent)
        }

        private static func resolved(_ folder: FilePath) -> FilePath {
            folder.withPlatformString { path in
                guard let resolved = realpath(path, nil) else { return folder.lexicallyNormalized() }
                defer { free(resolved) }
                return FilePath(platformString: resolved)
            }
        }
    }
}
