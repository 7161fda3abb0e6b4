public import TexelCodecs
public import TexelPixels

/// Options for writing a GIF.
public struct GIFOptions: Sendable, Hashable {
    /// How to reduce the number of colours; `nil` keeps up to 256.
    ///
    /// The colours include the transparent one. In an animation the number holds for each frame; a frame of which only
    /// parts change may have one more for the parts that stay.
    public var palette: PaletteOptions?
    /// Whether an image that has more colours, or partly transparent pixels, is refused instead of changed.
    public var isLossless = false
    /// The time to spend on fewer bytes. It does not change the pixels.
    public var effort = Effort.balanced

    /// Creates options; each parameter sets the property of its name.
    public init(palette: PaletteOptions? = nil, isLossless: Bool = false, effort: Effort = .balanced) {
        self.palette = palette
        self.isLossless = isLossless
        self.effort = effort
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(palette: settings.palette, isLossless: settings.isLossless, effort: settings.effort)
    }
}
