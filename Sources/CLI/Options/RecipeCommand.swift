import Texel

/// The commands that make an image from an image, and how they use their common flags.
enum RecipeCommand: String, CaseIterable {
    case compress, resize, rotate

    /// Refuses options that contradict each other, leave nothing to do, or have no effect.
    ///
    /// - Parameter given: the options that the caller gave; the others are defaults, or from a recipe file.
    func check(_ files: FileOptions, _ options: RecipeOptions, given: Set<OptionName>) throws(OptionError) {
        switch self {
        case .resize where !options.asksForSomething:
            let sizes: [OptionName] = ["width", "height", "scale", "min-width", "min-height"]
            throw OptionError("Specify a size, \(options: sizes, "or"), or an operation such as \(option: "crop")")
        case .rotate where !options.asksForSomething && options.encoding.autoOrient == false:
            let turns: [OptionName] = ["angle", "flip", "yaw", "pitch", "roll", "affine", "perspective"]
            throw OptionError(
                "Specify a rotation, \(options: turns, "or"), or an operation such as \(option: "crop")")
        // A rotation without flags turns images upright according to their orientation.
        case .compress, .resize, .rotate: break
        }
        if self == .compress, let partialBlocks = options.turning.partialBlocks {
            throw OptionError(
                "\(option: partialBlocks.name) keeps a JPEG's coefficients, but compress encodes again; use rotate")
        }
        try files.check(format: options.encoding.format?.format)
        try options.check()
        try UnusedOptions.check(options.size, options.turning, options.changes, given: given)
        if options.size.hasSeveralWidths { try files.checkNames() }
    }

    /// Makes recipes of the options.
    ///
    /// - Parameter images: the images that the options name.
    /// - Returns: one recipe for each width.
    func recipes(_ options: RecipeOptions, _ images: CompositionImages) -> [Recipe] {
        var recipe = Recipe()
        options.encoding.apply(to: &recipe, defaultEffort: self == .compress ? .balanced : .fast)
        recipe.output.compresses = self == .compress
        return OperationOrder.recipes(recipe, options.size, options.turning, options.changes, images)
    }
}
