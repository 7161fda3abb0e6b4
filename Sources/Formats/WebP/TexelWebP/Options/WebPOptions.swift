import CWebPShim
public import TexelCodecs
import TexelCore
public import TexelPixels

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

    /// Creates options from those that all formats share, and from the codec's own.
    package init(_ settings: EncodingSettings) {
        let nearLossless = settings.isLossless ? nil : settings.parameters[.nearLossless]
        self.init(
            quality: settings.quality ?? EncodingSettings.defaultQuality,
            isLossless: settings.isLossless || nearLossless != nil, nearLossless: nearLossless,
            alphaQuality: settings.parameters[.alphaQuality] ?? 100, effort: settings.effort)
    }

    public var isLossy: Bool { !isLossless || nearLossless ?? 100 < 100 }
}

extension ParameterKey<Int> {
    /// How much a WebP that is encoded without loss may be changed before, for fewer bytes: from 100 (no change) to 0
    /// (the largest changes).
    public static var nearLossless: Self { Self("near-lossless") }
}

extension WebPOptions {
    static let parameters = [
        Parameter(
            .nearLossless, in: 0...100,
            help: "Near-lossless WebP, 0 (smallest) to 100 (exact); 60 is visually lossless."
        ).instead(of: "lossless").excluding("quality", "target-score", "max-bytes"),
        .alphaQuality,
    ]
}

extension texel_webp_config {
    /// - Throws: `cannotEncode` for numbers that libwebp does not define.
    init(_ options: WebPOptions, parallelism: Int) throws(TexelError) {
        for (name, value) in [
            ("quality", options.quality), ("near-lossless level", options.nearLossless ?? 100),
            ("alpha quality", options.alphaQuality),
        ] where !(0...100).contains(value) {
            throw .cannotEncode("invalid \(name) \(value); a WebP has 0 to 100")
        }
        self.init()
        lossless = options.isLossless
        // Without loss, libwebp's quality is the amount of work: like `cwebp -z` 3, 6 and 9.
        if options.isLossless {
            let level: (method: Int32, quality: Float) =
                switch options.effort {
                case .fast: (2, 30)
                case .balanced: (4, 75)
                case .best: (6, 100)
                }
            (method, quality) = level
        } else {
            quality = WebPQuality.own(options.quality)
            method = options.effort == .fast ? 2 : options.effort == .balanced ? 4 : 6
        }
        near_lossless = Int32(options.nearLossless ?? 100)
        // libwebp makes no other changes if it must keep the colours of transparent pixels.
        exact = options.isLossless && near_lossless == 100
        alpha_quality = Int32(options.alphaQuality)
        use_sharp_yuv = !options.isLossless && options.effort == .best
        use_threads = parallelism > 1
    }
}
