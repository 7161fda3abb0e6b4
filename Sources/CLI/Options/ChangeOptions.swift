import Texel

/// Changes of pixels after resizing and turning.
struct ChangeOptions: OptionGroup {
    var tone = ToneOptions()
    var filters = FilterOptions()
    var composition = CompositionOptions()
    var text = TextDrawingOptions()

    static let options: [Option<Self>] =
        ToneOptions.options(at: \.tone, section: "Tone and colour")
        + FilterOptions.options(at: \.filters, section: "Filters")
        + CompositionOptions.options(at: \.composition, section: "Composition")
        + TextDrawingOptions.options(at: \.text, section: "Text")

    static let rules =
        ToneOptions.rules + FilterOptions.rules + CompositionOptions.rules + TextDrawingOptions.rules

    func checkMeaning() throws(OptionError) {
        try tone.checkMeaning()
        try filters.checkMeaning()
        try composition.checkMeaning()
        try text.checkMeaning()
    }

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
