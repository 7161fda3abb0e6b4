public import TexelCodecs
public import TexelPixels

/// How a recipe's result is written.
public struct OutputOptions: Sendable, Hashable, Codable {
    /// `nil` takes the format that the output's extension promises, else the input's.
    public var format: ImageFormat?
    /// JPEG's 1…100. With `nil` a JPEG is encoded at 80 if ``compresses`` is set or the input is not a JPEG, and at the
    /// input's own quality otherwise.
    public var quality: Int?
    /// What the file is to come to. The quality is then searched for; ``quality`` is the highest that is tried.
    public var target = EncodingTarget()
    public var subsampling = ChromaSubsampling.automatic
    /// How a PNG's colours are given up for fewer bytes; `nil` keeps all of them, whatever the quality.
    public var palette: PaletteOptions?
    /// `nil` leaves it to the effort.
    public var isProgressive: Bool?
    public var effort = Effort.balanced
    public var metadata = MetadataPolicy.color
    /// What lies behind transparent and uncovered pixels. `nil` is transparent where the format has alpha, else white.
    public var background: PixelColor?
    /// Whether the pixels are to be encoded anew even where nothing else changes: what "compress" means.
    public var compresses = true
    /// Whether a JPEG that would have to be encoded with loss is refused. Its coefficients may be moved and coded again.
    public var isLossless = false
    /// Whether blocks that an edge divides are cut off, if a JPEG is only turned, mirrored or cropped. Otherwise such an
    /// image is encoded again, with its own quantisation tables and subsampling.
    public var trimsPartialBlocks = false
    /// Whether the input's own pixels are kept if encoding them again does not make the file smaller.
    public var keepsSmallerOriginal = true
    /// The part of its bytes, 0…1, that a file must lose to be encoded again with loss; below it the input's own pixels
    /// are kept. Lossless encodings are kept if they save a byte.
    public var minimumGain = OutputOptions.defaultMinimumGain

    public init() {}

    public static let defaultMinimumGain = 0.02

    /// The quality if none is given and the input has none of its own.
    public static let defaultQuality = 80

    /// The most pixels that ``Effort/balanced`` thinks about: half as many as a picture may have by default. Beyond them
    /// thinking takes gigabytes for a JPEG, and most of a minute for a PNG, which may come from a few megabytes.
    static let largestBalancedPixels = 1 << 27

    /// These options for a result of a size; above ``largestBalancedPixels`` it is written with ``Effort/fast`` instead
    /// of ``Effort/balanced``.
    func fitted(to size: PixelSize, largestBalancedPixels: Int) -> OutputOptions {
        guard effort == .balanced, size.pixelCount ?? .max > largestBalancedPixels else { return self }
        var options = self
        options.effort = .fast
        return options
    }

    var jpegOptions: JPEGOptions {
        JPEGOptions(
            quality: quality ?? Self.defaultQuality, subsampling: subsampling, isProgressive: isProgressive,
            effort: effort)
    }

    func encoding(_ format: ImageFormat) -> ImageEncoding {
        switch format {
        case .jpeg: .jpeg(jpegOptions)
        case .png: .png(PNGOptions(effort: effort, palette: palette))
        }
    }
}
