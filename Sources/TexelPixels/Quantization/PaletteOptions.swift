/// How a picture gets a palette.
public struct PaletteOptions: Sendable, Hashable, Codable {
    /// How many colours a palette may have.
    public static let colorCounts = 2...256

    /// At most so many, in ``colorCounts``, the transparent one among them.
    public var colors: Int
    /// 1…100. Fewer colours are used where they are enough for it, and none at all where `colors` are not. `nil` uses all
    /// colours there may be.
    public var quality: Int?

    public init(colors: Int = 256, quality: Int? = nil) {
        self.colors = colors
        self.quality = quality
    }
}
