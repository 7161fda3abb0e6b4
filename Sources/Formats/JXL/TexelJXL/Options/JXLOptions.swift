public import TexelCodecs

/// Options for writing a JPEG XL.
public struct JXLOptions: Sendable, Hashable {
    /// The quality on the scale that all formats share, 1…100: by SSIMULACRA2, photographs are as good as JPEGs of this
    /// quality.
    public var quality = EncodingSettings.defaultQuality
    /// Whether no pixel changes.
    public var isLossless = false
    /// The time to spend.
    public var effort = Effort.balanced

    /// Creates options; each parameter sets the property of its name.
    public init(
        quality: Int = EncodingSettings.defaultQuality, isLossless: Bool = false, effort: Effort = .balanced
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.effort = effort
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(
            quality: settings.quality ?? EncodingSettings.defaultQuality, isLossless: settings.isLossless,
            effort: settings.effort)
    }
}
