/// The flags that choose a recipe file.
struct SharedFlagOptions: OptionGroup {
    var recipe: String?
    var noRecipe = false

    static let options: [Option<Self>] = [
        .text("recipe", \.recipe, help: "A file of shared flags.").defaulting(to: "texel.toml here, if there is one")
            .completed(with: .file),
        .flag("no-recipe", \.noRecipe, help: "Ignore texel.toml."),
    ]

    static let rules: [OptionRule] = [.alternatives([["recipe"], ["no-recipe"]])]
}
