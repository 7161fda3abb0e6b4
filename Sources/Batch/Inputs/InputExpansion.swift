import PlatformLibc
public import SystemPackage
public import TexelCore
import TexelPipeline

/// Finds the files that arguments stand for: walks directories and matches patterns.
public enum InputExpansion {
    /// The items of all arguments, and what could not be found.
    public struct Outcome: Sendable {
        /// Each file once, even if it was named several times.
        public var items: [InputItem] = []
        /// Arguments, directories and files that could not be read.
        public var failures: [TexelError] = []
        /// Whether an argument was a directory that was walked or a pattern, so that results are named as for several
        /// inputs even if there is one item.
        public var isOpenEnded = false
        /// The number of files in the walked directories that are not images that Texel reads, without hidden files;
        /// with them, pipes, devices and links to missing files that a pattern matches.
        public var otherFileCount = 0

        /// Whether all arguments were directories without images.
        package var isEmpty: Bool {
            items.isEmpty && !failures.isEmpty && failures.allSatisfy { $0.kind == .noImagesFound }
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
    ///   - others: the trees of arguments that are not files, such as the item of an address.
    ///   - outputs: files and directories that the call writes: they are used only if they are named. Beside other
    ///     arguments, as from a shell's `*`, a named directory is left out too.
    ///   - outputDirectoryName: the relative path of a directory that the call writes in many directories.
    ///   - keepsLinks: whether arguments that are different names of one file are items of their own, as in a listing.
    ///   - path: converts an argument to the path of a file.
    public static func expand(
        _ arguments: [String], isRecursive: Bool, others: [String: any InputTree] = [:],
        excluding outputs: [FilePath] = [], outputDirectoryName: FilePath? = nil, keepsLinks: Bool = false,
        path: (String) -> FilePath = { FilePath($0) }
    ) -> Outcome {
        let rule = FolderRule(excluding: outputs, directoryName: outputDirectoryName)
        var search = InputSearch(keepsLinks: keepsLinks)
        for argument in arguments {
            let path = path(argument)
            if let tree = others[argument] {
                search.add(tree)
            } else if argument == "-" {
                search.add(InputItem.standardInput)
            } else if let status = FileStatus(path) {
                if !status.isDirectory {
                    search.addNamed(path, status)
                } else if arguments.count == 1 || !rule.excludes(status.identity) {
                    if isRecursive { search.add(FolderTree(path, rule)) } else { search.fail(.isDirectory(path)) }
                }
            } else {
                let error = Errno.current
                if let matches = PatternTree(argument, rule, isRecursive: isRecursive) {
                    search.add(matches)
                } else {
                    search.fail(TexelError(path, unreadable: error))
                }
            }
        }
        return search.finish()
    }
}

/// Collects the files of one call.
private struct InputSearch {
    /// Without its items.
    var outcome = InputExpansion.Outcome()
    /// In order; `nil` for a link that was replaced by another name of its file.
    private var items: [InputItem?] = []
    private let keepsLinks: Bool
    /// The first item of each file.
    private var files: [FileStatus.Identity: (index: Int, isFoundLink: Bool)] = [:]
    private var names: Set<CanonicalName> = []
    private var sources: Set<InputItem> = []
    private var failed: Set<TexelError> = []
    private var folders = CanonicalName.Folders()

    init(keepsLinks: Bool) { self.keepsLinks = keepsLinks }

    func finish() -> InputExpansion.Outcome {
        var outcome = outcome
        outcome.items = items.compactMap(\.self)
        return outcome
    }

    mutating func fail(_ error: TexelError) {
        if failed.insert(error).inserted { outcome.failures.append(error) }
    }

    /// Adds the entries of a tree, each once.
    mutating func add(_ tree: some InputTree) {
        outcome.isOpenEnded = outcome.isOpenEnded || tree.isOpenEnded
        tree.visit { entry in
            switch entry {
            case .other: outcome.otherFileCount += 1
            case .failure(let error): fail(error)
            case .input(let item):
                if let file = item.finding {
                    add(item, file.identity, isFoundLink: file.isLink)
                } else if sources.insert(item).inserted {
                    items.append(item)
                }
            }
        }
    }

    /// Adds a file that the caller named.
    mutating func addNamed(_ path: FilePath, _ status: FileStatus) {
        let isNew = names.insert(folders.name(of: path)).inserted
        if keepsLinks, isNew, files[status.identity] != nil { return items.append(InputItem(path)) }
        add(InputItem(path), status.identity, isFoundLink: false)
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
