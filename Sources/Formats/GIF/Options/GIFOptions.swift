public import TexelCodecs
public import TexelPixels

/// Options for writing a GIF.
public struct GIFOptions: Sendable, Hashable {
    /// How to reduce the number of colours; `nil` keeps up to 256.
    ///
    /// The colours include the transparent one. In an animation the number holds for each frame; a frame of which only
    /// parts change may have one more for the parts that stay.
    public var palette: PaletteOptions?
    /// The time to spend on fewer bytes. It does not change the pixels.
    public var effort = Effort.balanced

    /// Creates options; each parameter sets the property of its name.
    public init(palette: PaletteOptions? = nil, effort: Effort = .balanced) {
        self.palette = palette
        self.effort = effort
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(palette: settings.palette, effort: settings.effort)
    }
}
