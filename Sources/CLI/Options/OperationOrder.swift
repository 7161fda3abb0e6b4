import Texel

/// The fixed order of the operations of flags: perspective, trim, crop, resize, flip, turn, affine map, tone, filters,
/// overlay, text, what surrounds the image.
enum OperationOrder {
    /// Adds the operations to a recipe.
    ///
    /// - Parameter images: the images that the flags name.
    /// - Returns: one recipe for each width.
    static func recipes(
        _ recipe: Recipe, _ size: SizeOptions, _ turning: TurningOptions, _ changes: ChangeOptions,
        _ images: CompositionImages
    ) -> [Recipe] {
        var recipe = recipe
        turning.applyFirst(to: &recipe, filter: size.resamplingFilter)
        return size.applied(to: recipe).map { recipe in
            var recipe = recipe
            turning.apply(to: &recipe, filter: size.resamplingFilter)
            recipe.operations += changes.operations(images, usesLinearLight: size.linear)
            return recipe
        }
    }
}
