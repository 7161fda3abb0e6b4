import Texel
import TexelArchives

/// The arguments that are not files or folders to be read by themselves.
enum NamedTrees {
    /// The trees of archives and URLs among the arguments.
    ///
    /// - Parameter timeout: the time limit for each URL, if there is one.
    /// - Throws: for a URL that cannot be loaded.
    static func of(_ arguments: [String], timeout: Duration?) throws(OptionError) -> [String: any InputTree] {
        let items = try Addresses.items(arguments, timeout: timeout)
        return archives(arguments.filter { items[$0] == nil }).merging(items) { tree, _ in tree }
    }

    /// The trees of archives among the arguments.
    static func archives(_ arguments: [String]) -> [String: any InputTree] {
        var trees: [String: any InputTree] = [:]
        for argument in arguments where argument != "-" {
            let path = RawArguments.path(argument)
            if ArchiveTree.isArchive(path) { trees[argument] = ArchiveTree(path) }
        }
        return trees
    }
}
