import ArgumentParser
import SystemPackage
import Texel

/// The flags that choose a recipe file. ``SharedFlags`` evaluates them before the parser runs.
struct SharedFlagOptions: ParsableArguments {
    @Option(help: "A file of shared flags (default: texel.toml here, if there is one).", completion: .file())
    var recipe: String?

    @Flag(help: "Ignore texel.toml.")
    var noRecipe = false
}

/// Inserts the flags of a recipe file into a call.
enum SharedFlags {
    /// Adds the flags of the recipe file that the call names, or of the one in the working directory.
    ///
    /// - Parameter arguments: without the program's name.
    static func applied(to arguments: [String]) throws(RecipeFile.Fault) -> [String] {
        guard let name = arguments.first, let command = command(name) else { return arguments }
        let own = Array(arguments.dropFirst())
        guard let path = path(own) else { return arguments }
        return [name] + (try RecipeFile(path: path).arguments(for: command, before: own)) + own
    }

    private static func command(_ name: String) -> RecipeCommand? {
        // Watched files are compressed.
        name == WatchCommand._commandName ? .compress : RecipeCommand(rawValue: name)
    }

    /// The last file named in the arguments, or else the one in the working directory; `nil` if there is none or
    /// `--no-recipe` is given.
    private static func path(_ arguments: [String]) -> String? {
        let flags = arguments.prefix { $0 != "--" }
        if flags.contains("--no-recipe") { return nil }
        for (index, argument) in flags.enumerated().reversed() {
            if argument.hasPrefix("--recipe=") { return String(argument.dropFirst("--recipe=".count)) }
            if argument == "--recipe", index + 1 < arguments.count { return arguments[index + 1] }
        }
        return FilePath(RecipeFile.defaultName).exists ? RecipeFile.defaultName : nil
    }
}
