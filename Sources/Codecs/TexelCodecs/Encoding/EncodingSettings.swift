public import TexelPixels

/// How much time an encoder spends to save bytes.
public enum Effort: String, Sendable, Hashable, Codable, CaseIterable {
    /// The least work that gives a reasonable size.
    case fast
    /// The encoder's own quantisation and the smallest of several ways to store the image.
    case balanced
    /// Everything that Texel can try; several times slower than ``balanced``.
    case best
}

/// How many pixels share one pair of chroma samples.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
    /// The encoder chooses by quality, and uses 4:4:4 for images that subsampling would change visibly, such as
    /// coloured text.
    case automatic = "auto"
    /// 4:4:4: chroma at full resolution.
    case yuv444 = "444"
    /// 4:2:2: half the horizontal chroma resolution.
    case yuv422 = "422"
    /// 4:2:0: half the chroma resolution in both directions.
    case yuv420 = "420"

    /// The number of luma samples per chroma sample in each direction; `nil` if the encoder chooses.
    package var factors: (horizontal: Int, vertical: Int)? {
        switch self {
        case .automatic: nil
        case .yuv444: (1, 1)
        case .yuv422: (2, 1)
        case .yuv420: (2, 2)
        }
    }
}

/// How to encode an image, in terms that all formats share. A codec makes its own ``FormatOptions`` from them.
public struct EncodingSettings: Sendable, Hashable {
    /// The quality, 1…100 on libjpeg's scale; `nil` for ``defaultQuality``. Formats without loss ignore it.
    public var quality: Int?
    /// Whether no pixel may change. Formats that always or never lose something ignore it.
    public var isLossless = false
    /// How chroma is subsampled.
    public var subsampling = ChromaSubsampling.automatic
    /// Whether the file is stored in passes of increasing detail; `nil` lets the effort decide.
    public var isProgressive: Bool?
    /// How to reduce the number of colours; `nil` keeps all of them.
    public var palette: PaletteOptions?
    /// The time to spend.
    public var effort = Effort.balanced
    /// Values of the parameters that codecs declare (``ImageCodec/parameters``). A codec ignores those of others.
    public var parameters = ParameterValues()
    /// Whether the file is written again only to save bytes. Encoders may then spend several times as long at
    /// ``Effort/balanced``.
    public var compresses = false
    /// Whether ``effort`` was lowered because the image is very large. Encoders may then take more time than usual, but
    /// no more memory.
    package var isEffortLowered = false
    /// The largest image, in pixels, that a format encodes as a whole with ``Effort/balanced`` if it can also encode it
    /// in parts.
    package var largestWholeImage = EncodingSettings.largestWholeImage
    /// The quantisation to use instead of the quality and the subsampling.
    package var quantization: DCTQuantization?

    /// The default of ``largestWholeImage``: as large as the images of almost all cameras.
    package static let largestWholeImage = 1 << 26

    /// Creates settings; each parameter sets the property of its name.
    public init(
        quality: Int? = nil, isLossless: Bool = false, subsampling: ChromaSubsampling = .automatic,
        isProgressive: Bool? = nil, palette: PaletteOptions? = nil, effort: Effort = .balanced,
        parameters: ParameterValues = ParameterValues()
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.palette = palette
        self.effort = effort
        self.parameters = parameters
    }

    /// The quality if none is given.
    public static let defaultQuality = 80
}
