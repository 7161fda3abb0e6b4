import ArgumentParser

/// The flags that choose a recipe file.
struct SharedFlagOptions: ParsableArguments {
    @Option(help: "A file of shared flags (default: texel.toml here, if there is one).", completion: .file())
    var recipe: String?

    @Flag(help: "Ignore texel.toml.")
    var noRecipe = false

    func validate() throws {
        if noRecipe, recipe != nil { throw ValidationError("--recipe and --no-recipe exclude each other.") }
    }
}
