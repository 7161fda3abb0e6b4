import ArgumentParser
import Texel

/// The commands that make an image from an image, and how they use their common flags.
enum RecipeCommand: String, CaseIterable {
    case compress, resize, rotate

    /// Refuses flags that contradict each other or leave nothing to do.
    ///
    /// - Throws: `ValidationError`.
    func validate(
        _ files: FileOptions, _ encoding: EncodingOptions, _ size: SizeOptions, _ turning: TurningOptions
    ) throws {
        switch self {
        case .resize where !size.asksForSomething:
            throw ValidationError(
                "Specify a size: --width, --height, --scale, --min-width, --min-height or --crop.")
        case .rotate where !turning.asksForSomething:
            throw ValidationError("Specify a rotation: --angle, --flip, --yaw, --pitch or --roll.")
        case .compress, .resize, .rotate: break
        }
        if let flag = turning.partialBlocks?.rawValue {
            if self == .compress {
                throw ValidationError("--\(flag) keeps a JPEG's coefficients, but compress encodes again; use rotate.")
            }
            if encoding.quality != nil || encoding.targetScore != nil || encoding.maxBytes != nil {
                throw ValidationError(
                    "--\(flag) keeps a JPEG's coefficients; leave out --quality, --target-score and --max-bytes.")
            }
        }
        try files.check(format: encoding.format.format)
        try encoding.check()
        try size.check()
        try turning.check()
        if size.hasSeveralWidths { try files.checkNames() }
    }

    /// Makes recipes of the flags, with operations in a fixed order: crop, resize, flip, turn.
    ///
    /// - Returns: one recipe for each width.
    func recipes(_ encoding: EncodingOptions, _ size: SizeOptions, _ turning: TurningOptions) -> [Recipe] {
        var recipe = Recipe()
        encoding.apply(to: &recipe, defaultEffort: self == .compress ? .balanced : .fast)
        recipe.output.compresses = self == .compress
        return size.applied(to: recipe).map { recipe in
            var recipe = recipe
            turning.apply(to: &recipe, filter: size.filter)
            return recipe
        }
    }
}
