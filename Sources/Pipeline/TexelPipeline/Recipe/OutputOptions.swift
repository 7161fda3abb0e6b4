public import TexelCodecs
public import TexelPixels

/// How a recipe's result is encoded.
public struct OutputOptions: Sendable, Hashable, Codable {
    /// The format; `nil` takes the format of the output's extension, or else the input's.
    public var format: ImageFormat?
    /// JPEG quality, 1…100. If `nil`, a JPEG is encoded at 80 if ``compresses`` is set or the input is not a JPEG,
    /// and at the input's own quality otherwise.
    public var quality: Int?
    /// The file size or score that the result must reach. The quality is then searched for, and ``quality`` is the
    /// highest one tried.
    public var target = EncodingTarget()
    /// How chroma is subsampled in a JPEG.
    public var subsampling = ChromaSubsampling.automatic
    /// How a PNG's colours are reduced for fewer bytes; `nil` keeps all of them, at any quality.
    public var palette: PaletteOptions?
    /// Whether a JPEG is progressive; `nil` lets ``effort`` decide.
    public var isProgressive: Bool?
    /// How much time is spent on a smaller file.
    public var effort = Effort.balanced
    /// Which metadata of the input are written.
    public var metadata = MetadataPolicy.color
    /// The colour space that the colours are converted to and whose profile is written; `nil` keeps the input's.
    /// Without metadata (`MetadataPolicy.none`), and in formats that store no profile, it is sRGB.
    public var colorSpace: ColorSpace?
    /// The density that the file declares, under every ``metadata`` policy; `nil` follows the policy. Pixels are not
    /// resized for it. Formats without a density ignore it, except in EXIF.
    public var density: PixelDensity?
    /// The colour of uncovered pixels and, in formats without alpha, under transparent ones. `nil` is transparent if
    /// the format has alpha, else white.
    public var background: PixelColor?
    /// Whether the pixels are encoded again even if nothing else changes. This is what "compress" means.
    public var compresses = true
    /// Whether to refuse a JPEG that would have to be encoded with loss. Its coefficients may be moved and coded
    /// again.
    public var isLossless = false
    /// Values of parameters that only some formats have: `parameters[.toyDepth] = 4`. Formats ignore those of
    /// others (`ImageCodec.parameters`).
    public var parameters = ParameterValues()
    /// Whether partial blocks at an edge are cut off if a JPEG is only turned, mirrored or cropped. If not, such an
    /// image is encoded again with its own quantisation tables and subsampling.
    public var trimsPartialBlocks = false
    /// Whether the input's own pixel data are kept if encoding them again does not make the file smaller.
    public var keepsSmallerOriginal = true
    /// The fraction of its bytes, 0…1, that a file must lose to be encoded again with loss; for less, the input's own
    /// pixel data are kept. Lossless encodings are kept if they save one byte.
    public var minimumGain = OutputOptions.defaultMinimumGain

    /// Makes the default options.
    public init() {}

    /// The default of ``minimumGain``.
    public static let defaultMinimumGain = 0.02

    /// The quality if none is given and the input has none.
    public static let defaultQuality = EncodingSettings.defaultQuality

    /// The largest image, in pixels, that every format encodes with ``Effort/balanced``: half the default limit. Above
    /// it, `balanced` takes most of a minute for a PNG, which may come from a file of a few megabytes.
    static let largestBalancedPixels = 1 << 27

    /// Whether the result's colours are named: those of ``colorSpace``, or, without a profile, sRGB.
    var namesColors: Bool { colorSpace != nil || metadata == .none }

    /// The options in terms that all codecs share.
    package var settings: EncodingSettings {
        var settings = EncodingSettings(
            quality: quality, isLossless: isLossless, subsampling: subsampling, isProgressive: isProgressive,
            palette: palette, effort: effort, parameters: parameters)
        settings.compresses = compresses
        return settings
    }
}
