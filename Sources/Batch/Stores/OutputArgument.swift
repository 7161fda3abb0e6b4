public import SystemPackage
public import TexelCore
import TexelPipeline

/// The argument of `-o`.
public enum OutputArgument {
    /// Whether the argument is standard output: `-`, or a file that stands for it.
    public static func isStandardOutput(_ argument: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(argument)
    }

    /// Parses the argument: `-` is standard output; an existing directory, a trailing slash or several inputs make a
    /// directory; placeholders in braces make a template. A brace in the name of a new file or directory is written
    /// twice.
    ///
    /// - Parameters:
    ///   - argument: the text of the argument.
    ///   - isForSeveralInputs: whether a plain path is a directory.
    ///   - path: converts the argument to the path of a file or directory; by default as it is written.
    /// - Throws: `invalidArgument` for a template with an unknown name in braces.
    public static func store(
        _ argument: String, isForSeveralInputs: Bool, path: (String) -> FilePath = { FilePath($0) }
    ) throws(TexelError) -> any OutputStore {
        var path = path(argument)
        if isStandardOutput(argument) { return StandardOutputStore() }
        if argument.contains("{"), !path.isDirectory {
            let template = try OutputTemplate(argument)
            guard let name = template.plainPath else { return TemplateStore(template) }
            path = name
        }
        let isDirectory = argument.hasSuffix("/") || isForSeveralInputs || path.isDirectory
        return isDirectory ? DirectoryStore(path) : FileStore(path)
    }
}
