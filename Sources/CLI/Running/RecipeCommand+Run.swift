extension RecipeCommand {
    /// Runs the command with its flags and those of the recipe file.
    ///
    /// - Throws: `OptionError`, `RecipeFile.Fault`, `ExitStatus`.
    func run(_ files: FileOptions, _ running: RunningOptions, _ options: RecipeOptions) async throws {
        try files.shared.check()
        try running.check()
        var (running, options) = (running, options)
        let given = options.given
        if let file = try files.shared.recipeFile() {
            options.complete(with: try file.settings(for: self), isInPlace: files.inPlace)
        }
        try check(files, options, given: given)
        running.work = options.work
        let images = try await options.changes.composition.imagesOfCommand(
            options.work.limits, options.work.strictness.level)
        let unused = UnusedOptions(options, of: self, given: given)
        try await BatchRun(files, running, unused, recipes(options, images), warnings: images.warnings).run()
    }
}
