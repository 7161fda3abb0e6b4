import ArgumentParser
import Texel

/// What changes pixels after an image has its size and its direction.
struct ChangeOptions: ParsableArguments {
    @OptionGroup(title: "Tone and colour") var tone: ToneOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Composition") var composition: CompositionOptions
    @OptionGroup(title: "Text") var text: TextDrawingOptions

    var asksForSomething: Bool {
        tone.asksForSomething || filters.asksForSomething || composition.asksForSomething || text.asksForSomething
    }

    /// The operations of the flags, in a fixed order: tone, filters, overlay, text, what surrounds the image.
    ///
    /// - Parameters:
    ///   - images: the images that the flags name.
    ///   - usesLinearLight: whether blur and overlays work on light instead of stored values.
    func operations(_ images: CompositionImages, usesLinearLight: Bool) -> [PixelOperation] {
        tone.operations + filters.operations(usesLinearLight: usesLinearLight)
            + composition.overlays(images, usesLinearLight: usesLinearLight)
            + text.operations(usesLinearLight: usesLinearLight) + composition.surroundings(images)
    }
}
