import Texel

/// The commands that make an image from an image, and how they use their common flags.
enum RecipeCommand: String, CaseIterable {
    case compress, resize, rotate

    /// Refuses options that contradict each other or leave nothing to do.
    func check(_ files: FileOptions, _ options: RecipeOptions) throws(OptionError) {
        switch self {
        case .resize
        where !options.size.asksForSomething && !options.changes.asksForSomething && options.encoding.density == nil:
            let sizes: [OptionName] = ["width", "height", "scale", "min-width", "min-height", "trim", "crop", "aspect"]
            throw OptionError("Specify a size: \(options: sizes, "or")")
        case .rotate where !options.turning.asksForSomething:
            let turns: [OptionName] = ["angle", "flip", "yaw", "pitch", "roll", "affine", "perspective"]
            throw OptionError("Specify a rotation: \(options: turns, "or")")
        case .compress, .resize, .rotate: break
        }
        if self == .compress, let partialBlocks = options.turning.partialBlocks {
            throw OptionError(
                "\(option: partialBlocks.name) keeps a JPEG's coefficients, but compress encodes again; use rotate")
        }
        try files.check(format: options.encoding.format?.format)
        try options.check()
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
