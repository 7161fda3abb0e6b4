import ArgumentParser
import SystemPackage
import Texel

/// Where shared flags come from. ``SharedFlags`` heeds it before the parser begins.
struct SharedFlagOptions: ParsableArguments {
    @Option(help: "A file of shared flags (default: texel.toml here, where there is one).", completion: .file())
    var recipe: String?

    @Flag(help: "Leave texel.toml alone.")
    var noRecipe = false
}

/// Puts the flags of a recipe file into a call.
enum SharedFlags {
    /// The arguments of a call with those of the recipe file that it names, or that lies in the working directory.
    ///
    /// - Parameter arguments: without the program's own name.
    static func applied(to arguments: [String]) throws(RecipeFile.Fault) -> [String] {
        guard let name = arguments.first, let command = command(name) else { return arguments }
        let own = Array(arguments.dropFirst())
        guard let path = path(own) else { return arguments }
        return [name] + (try RecipeFile(path: path).arguments(for: command, before: own)) + own
    }

    private static func command(_ name: String) -> RecipeCommand? {
        // What is watched is compressed.
        name == WatchCommand._commandName ? .compress : RecipeCommand(rawValue: name)
    }

    /// The last file that is named, or the one that lies here; `nil` where there is none, or none is wanted.
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
