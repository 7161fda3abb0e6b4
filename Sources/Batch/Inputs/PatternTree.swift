import PlatformLibc
import SystemPackage
import TexelPipeline

/// The files and folders that a shell would match by a pattern.
struct PatternTree: InputTree {
    private let matches: [FilePath]
    private let rule: FolderRule
    private let isRecursive: Bool

    /// - Parameters:
    ///   - rule: what is found.
    ///   - isRecursive: whether folders are walked; if not, a folder is a failure.
    /// - Returns: `nil` if the text is not a pattern, or matches nothing.
    init?(_ pattern: String, _ rule: FolderRule, isRecursive: Bool) {
        guard pattern.contains(where: { "*?[".contains($0) }) else { return nil }
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return nil }
        matches = (0..<Int(result.gl_pathc)).compactMap { index in
            result.gl_pathv[index].map { FilePath(platformString: $0) }
        }
        (self.rule, self.isRecursive) = (rule, isRecursive)
    }

    func visit(_ body: (InputEntry) -> Void) {
        for path in matches {
            switch rule.kind(at: path) {
            case .folder:
                if isRecursive { FolderTree(path, rule).visit(body) } else { body(.failure(.isDirectory(path))) }
            case .other: body(.other)
            case .ignored: break
            case .unreadable(let error): body(.failure(error))
            case .file(let status, let isLink):
                var item = InputItem(path)
                item.finding = InputItem.Finding(identity: status.identity, isLink: isLink)
                body(.input(item))
            }
        }
    }
}
