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
        /// The number of files in the walked directories that are not images that Texel reads, without hidden files;
        /// with them, pipes, devices and links to missing files that a pattern matches.
        public var otherFileCount = 0

        /// Removes images that an earlier call appears to have written beside its inputs: images found in directories
        /// or by patterns whose name is that of a result of another image there.
        ///
        /// - Parameter hasSeveralWidths: whether each input has several results. Only then are names such as
        ///   `photo-640w.jpg` taken for results: they may as well come from somewhere else.
        /// - Returns: how many were removed.
        package mutating func removeOutputsBesideInputs(hasSeveralWidths: Bool) -> Int {
            func place(_ item: InputItem) -> String {
                "\(item.path.removingLastComponent())/\(item.path.stem ?? "")"
            }
            let places = Set(items.map(place))
            let names = Set(items.map { "\($0.path.removingLastComponent())/\($0.path.lastComponent?.string ?? "")" })
            let count = items.count
            items.removeAll { item in
                guard item.wasFound else { return false }
                let inputs = OutputNaming.inputs(ofResult: place(item), hasSeveralWidths: hasSeveralWidths)
                return inputs.stems.contains { places.contains($0) } || inputs.names.contains { names.contains($0) }
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
    /// Below directories, and by patterns, only regular files and links to them are found. Each file is found once:
    /// another name of it, a symbolic or hard link, is left out, a symbolic link before any other name.
    ///
    /// - Parameters:
    ///   - arguments: paths, patterns, `-` for standard input, and keys of `others`.
    ///   - isRecursive: whether directories are walked; if not, a directory is a failure.
    ///   - others: the items of arguments that are not files.
    ///   - target: where the call writes; its directory or file is not found, and used only if it is named. Beside
    ///     other arguments, as from a shell's `*`, a named directory is left out too.
    ///   - keepsLinks: whether arguments that are different names of one file are items of their own, as in a listing.
    ///   - path: converts an argument to the path of a file.
    public static func expand(
        _ arguments: [String], isRecursive: Bool, others: [String: InputItem] = [:],
        excluding target: OutputTarget? = nil, keepsLinks: Bool = false, path: (String) -> FilePath = { FilePath($0) }
    ) -> Outcome {
        expand(
            arguments, isRecursive: isRecursive, others: others, by: target?.folderRule ?? FolderRule(),
            keepsLinks: keepsLinks, path: path)
    }

    /// Finds the files of all arguments.
    ///
    /// - Parameter rule: what is found below directories and by patterns.
    package static func expand(
        _ arguments: [String], isRecursive: Bool, others: [String: InputItem] = [:], by rule: FolderRule,
        keepsLinks: Bool = false, path: (String) -> FilePath = { FilePath($0) }
    ) -> Outcome {
        var search = InputSearch(isRecursive: isRecursive, rule: rule, keepsLinks: keepsLinks)
        for argument in arguments {
            let path = path(argument)
            if let item = others[argument] {
                search.add(item)
            } else if argument == "-" {
                search.add(.standardInput)
            } else if let status = FileStatus(path) {
                search.addNamed(path, status, isAlone: arguments.count == 1)
            } else {
                let error = Errno.current
                if let matches = matches(of: argument) {
                    search.outcome.isOpenEnded = true
                    for match in matches { search.addMatch(match) }
                } else {
                    search.fail(FileError(path, unreadable: error))
                }
            }
        }
        return search.finish()
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

extension OutputTarget {
    /// Excludes the outputs from searches.
    fileprivate var folderRule: FolderRule {
        switch self {
        case .besideInput, .inPlace, .standardOutput: FolderRule()
        case .file(let path), .directory(let path): FolderRule(excluding: [path])
        case .template(let template):
            FolderRule(
                excluding: template.directory.map { [$0] } ?? [], directoryName: template.directoryBelowInput)
        }
    }
}

/// Collects the files of one call.
private struct InputSearch {
    /// Without its items.
    var outcome = InputExpansion.Outcome()
    /// In order; `nil` for a link that was replaced by another name of its file.
    private var items: [InputItem?] = []
    private let isRecursive: Bool
    private let rule: FolderRule
    private let keepsLinks: Bool
    /// The first item of each file.
    private var files: [FileStatus.Identity: (index: Int, isFoundLink: Bool)] = [:]
    private var names: Set<CanonicalName> = []
    private var sources: Set<InputItem> = []
    private var failed: Set<FileError> = []
    private var folders = CanonicalName.Folders()

    init(isRecursive: Bool, rule: FolderRule, keepsLinks: Bool) {
        self.isRecursive = isRecursive
        self.rule = rule
        self.keepsLinks = keepsLinks
    }

    func finish() -> InputExpansion.Outcome {
        var outcome = outcome
        outcome.items = items.compactMap(\.self)
        return outcome
    }

    mutating func fail(_ error: FileError) {
        if failed.insert(error).inserted { outcome.failures.append(error) }
    }

    /// Adds an item that is not a file, unless it has been added.
    mutating func add(_ item: InputItem) {
        if sources.insert(item).inserted { items.append(item) }
    }

    /// Adds a file or a directory that the caller named.
    mutating func addNamed(_ path: FilePath, _ status: FileStatus, isAlone: Bool) {
        if status.isDirectory {
            if isAlone || !rule.excludes(status.identity) { walk(path) }
            return
        }
        let isNew = names.insert(folders.name(of: path)).inserted
        if keepsLinks, isNew, files[status.identity] != nil { return items.append(InputItem(path)) }
        add(InputItem(path), status.identity, isFoundLink: false)
    }

    /// Adds what a pattern matches. Directories are treated like named ones.
    mutating func addMatch(_ path: FilePath) {
        switch rule.kind(at: path) {
        case .folder: walk(path)
        case .other: outcome.otherFileCount += 1
        case .ignored: break
        case .unreadable(let error): fail(error)
        case .file(let status, let isLink):
            var item = InputItem(path)
            item.wasFound = true
            add(item, status.identity, isFoundLink: isLink)
        }
    }

    private mutating func walk(_ path: FilePath) {
        guard isRecursive else { return fail(.isDirectory(path)) }
        let walk = DirectoryWalk(path, rule)
        outcome.isOpenEnded = true
        outcome.otherFileCount += walk.otherFileCount
        for image in walk.images { add(image.item, image.identity, isFoundLink: image.isLink) }
        for failure in walk.failures { fail(failure) }
        if walk.images.isEmpty, walk.failures.isEmpty { fail(.noImagesFound(path)) }
    }

    /// Adds a file, unless it has been added. A link that was found gives way to any other name of its file: a link
    /// below a folder cannot be replaced in place.
    private mutating func add(_ item: InputItem, _ identity: FileStatus.Identity, isFoundLink: Bool) {
        if let known = files[identity] {
            guard known.isFoundLink, !isFoundLink else { return }
            items[known.index] = nil
        }
        files[identity] = (items.count, isFoundLink)
        items.append(item)
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
