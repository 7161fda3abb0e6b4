public import TexelCodecs
public import TexelPixels

/// How a recipe's result is written.
public struct OutputOptions: Sendable, Hashable, Codable {
    /// `nil` takes the format that the output's extension promises, else the input's.
    public var format: ImageFormat?
    /// JPEG's 1…100. `nil` asks for no new quantisation: it is 80 where the pixels must be encoded anew.
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
    /// Whether the input's own pixels are kept where encoding them anew would only make the file larger.
    public var keepsSmallerOriginal = true

    public init() {}

    /// The quality where none is asked for.
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
