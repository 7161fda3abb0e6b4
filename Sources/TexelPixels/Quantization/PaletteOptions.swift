/// How a picture gets a palette.
public struct PaletteOptions: Sendable, Hashable, Codable {
    /// How many colours a palette may have.
    public static let colorCounts = 2...256

    /// At most so many, in ``colorCounts``, the transparent one among them.
    public var colors: Int
    /// 1…100. Fewer colours are used if they are enough for it; if `colors` are not enough, there is no palette unless
    /// ``allowsLowerQuality`` is set. `nil` uses all colours there may be.
    public var quality: Int?
    /// Whether a palette is used even if `colors` are not enough for `quality`.
    public var allowsLowerQuality: Bool

    public init(colors: Int = 256, quality: Int? = nil, allowsLowerQuality: Bool = false) {
        self.colors = colors
        self.quality = quality
        self.allowsLowerQuality = allowsLowerQuality
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        colors = try container.decode(Int.self, forKey: .colors)
        quality = try container.decodeIfPresent(Int.self, forKey: .quality)
        allowsLowerQuality = try container.decodeIfPresent(Bool.self, forKey: .allowsLowerQuality) ?? false
    }
}
