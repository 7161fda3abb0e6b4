public import TexelCodecs

/// Options for writing a WebP.
public struct WebPOptions: Sendable, Hashable {
    /// The quality on the scale that all formats share, 1…100: by SSIMULACRA2, photographs are as good as JPEGs of this
    /// quality.
    public var quality = EncodingSettings.defaultQuality
    /// Whether no pixel changes.
    public var isLossless = false
    /// How much a lossless image may be changed for fewer bytes: 100 changes nothing, 60 is hardly visible, 0 is the
    /// most; `nil` changes nothing.
    public var nearLossless: Int?
    /// The quality of the transparency of an image with loss, 0…100; 100 keeps it exactly.
    public var alphaQuality = 100
    /// The time to spend.
    public var effort = Effort.balanced

    /// Creates options; each parameter sets the property of its name.
    public init(
        quality: Int = EncodingSettings.defaultQuality, isLossless: Bool = false, nearLossless: Int? = nil,
        alphaQuality: Int = 100, effort: Effort = .balanced
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.nearLossless = nearLossless
        self.alphaQuality = alphaQuality
        self.effort = effort
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(
            quality: settings.quality ?? EncodingSettings.defaultQuality,
            isLossless: settings.isLossless || settings.nearLossless != nil,
            nearLossless: settings.nearLossless, alphaQuality: settings.alphaQuality ?? 100, effort: settings.effort)
    }
}
