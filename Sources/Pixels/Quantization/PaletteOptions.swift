/// Options for reducing an image to a palette.
public struct PaletteOptions: Sendable, Hashable, Codable {
    /// The numbers of colours that a palette may have.
    public static let colorCounts = 2...256

    /// The most colours, in ``colorCounts``, including the transparent one.
    public var colors: Int
    /// The quality, 1…100. Fewer colours are used if they suffice; if `colors` do not suffice, there is no palette
    /// unless ``allowsLowerQuality`` is set. If `nil`, as many colours as allowed are used.
    public var quality: Int?
    /// Whether a palette is made even if `colors` do not suffice for `quality`.
    public var allowsLowerQuality: Bool

    /// Creates options for 256 colours by default.
    public init(colors: Int = 256, quality: Int? = nil, allowsLowerQuality: Bool = false) {
        self.colors = colors
        self.quality = quality
        self.allowsLowerQuality = allowsLowerQuality
    }
}
