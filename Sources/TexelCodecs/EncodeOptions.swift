public import TexelPixels

/// How much time an encoder spends to save bytes.
public enum Effort: String, Sendable, Hashable, Codable, CaseIterable {
    /// libjpeg's default coding for JPEG; little compression effort and few candidates for PNG.
    case fast
    /// JPEG: Texel's own quantisation and the smallest of several scan scripts. PNG: the smallest of several storage
    /// types and row filters.
    case balanced
    /// Everything that Texel can try; several times slower than ``balanced``.
    case best
}

/// How many pixels share one pair of chroma samples in a JPEG.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
    /// 4:4:4 from quality 97 and for images that 4:2:0 would change visibly, such as coloured text; otherwise 4:2:0.
    /// With ``Effort/fast``, 4:4:4 from quality 90.
    case automatic = "auto"
    /// 4:4:4: chroma at full resolution.
    case none444 = "444"
    /// 4:2:2: half the horizontal chroma resolution.
    case half422 = "422"
    /// 4:2:0: half the chroma resolution in both directions.
    case quarter420 = "420"

    /// Returns the number of luma samples per chroma sample in each direction.
    func factors(quality: Double, effort: Effort) -> (horizontal: Int, vertical: Int) {
        switch self {
        case .none444: (1, 1)
        case .half422: (2, 1)
        case .quarter420: (2, 2)
        // Texel's own encoder fits chroma to the decoder's interpolation. Up to quality 97, photographs of equal score
        // are then smaller with 4:2:0.
        case .automatic: quality >= (effort == .fast ? 90 : 97) ? (1, 1) : (2, 2)
        }
    }
}

/// Options for writing a JPEG.
public struct JPEGOptions: Sendable, Hashable {
    /// The quality on libjpeg's scale, 1…100.
    public var quality = 80
    /// A fraction in 0..<1 that a search adds to the quality; ignored for ``Effort/fast``.
    package var qualityFraction = 0.0
    /// The chroma subsampling.
    public var subsampling = ChromaSubsampling.automatic
    /// Whether to write a progressive file; `nil` writes baseline for `fast`, otherwise the smaller of the two.
    public var isProgressive: Bool?
    /// The time to spend.
    public var effort = Effort.balanced
    /// Whether an image without colour is written as greyscale.
    public var reducesLosslessly = true
    /// The quantisation tables and subsampling to write, instead of those that ``quality``, ``subsampling`` and the
    /// search of ``effort`` would give.
    package var quantization: JPEGQuantization?

    /// Creates options; each parameter sets the property of its name.
    public init(
        quality: Int = 80, subsampling: ChromaSubsampling = .automatic, isProgressive: Bool? = nil,
        effort: Effort = .balanced, reducesLosslessly: Bool = true
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.effort = effort
        self.reducesLosslessly = reducesLosslessly
    }

    /// The quality with its fraction; ``Effort/fast`` ignores the fraction.
    package var exactQuality: Double { Double(quality) + (effort == .fast ? 0 : qualityFraction) }

    /// Whether Texel's own quantiser chooses the coefficients; otherwise libjpeg rounds them.
    var optimizesCoefficients: Bool { effort != .fast && quantization == nil }
}

/// Options for writing a PNG.
public struct PNGOptions: Sendable, Hashable {
    /// The filter that is applied to rows before compression.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case unfiltered, sub, up, average, paeth
        /// For each row, the filter with the smallest sum of absolute differences (PNG specification, 12.7).
        case adaptive
    }

    /// The compression level, 0 (stored) to 9 (smallest); `nil` lets the effort decide.
    public var level: Int?
    /// The row filter; `nil` lets the encoder choose.
    public var filter: Filter?
    /// Whether to use a palette, greyscale, fewer bits per sample or no alpha channel if that loses nothing.
    public var reducesLosslessly = true
    /// The time to spend.
    public var effort = Effort.balanced
    /// How to reduce the number of colours; `nil` keeps all of them.
    public var palette: PaletteOptions?
    /// Whether to write the image with all its colours if the palette saves no bytes. A search compares the files
    /// itself.
    package var keepsSmallerLossless = true

    /// Creates options; each parameter sets the property of its name. The defaults are lossless.
    public init(
        level: Int? = nil, filter: Filter? = nil, reducesLosslessly: Bool = true, effort: Effort = .balanced,
        palette: PaletteOptions? = nil
    ) {
        self.level = level
        self.filter = filter
        self.reducesLosslessly = reducesLosslessly
        self.effort = effort
        self.palette = palette
    }
}

/// An output format with its options.
public enum ImageEncoding: Sendable, Hashable {
    case jpeg(JPEGOptions)
    case png(PNGOptions)

    /// The format of the output.
    public var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}

extension PixelBuffer {
    /// Encodes the image as the bytes of a file.
    ///
    /// - Parameters:
    ///   - encoding: the format and its options.
    ///   - metadata: the metadata to write; the colour profile comes with the pixels.
    ///   - background: the colour under transparent pixels, for a format without alpha.
    ///   - stopCheck: polled during the work.
    ///   - parallelism: the maximum number of threads; the result does not depend on it.
    /// - Throws: `cannotEncode` if the format does not support the options or the size; `stopped`.
    public func encoded(
        as encoding: ImageEncoding, metadata: WrittenMetadata = WrittenMetadata(), background: PixelColor = .white,
        stopCheck: StopCheck? = nil, parallelism: Int = 1
    ) throws(CodecError) -> [UInt8] {
        try encoded(
            as: encoding, metadata: metadata, background: background, stopCheck: stopCheck, parallelism: parallelism,
            progress: nil)
    }

    /// Encodes the image, and frees the pixels as soon as they are converted if the caller holds no other reference.
    ///
    /// - Parameter progress: receives the progress of the encoding.
    package consuming func encoded(
        as encoding: ImageEncoding, metadata: WrittenMetadata, background: PixelColor, stopCheck: StopCheck?,
        parallelism: Int, progress: EncodingProgress?
    ) throws(CodecError) -> [UInt8] {
        switch encoding {
        case .jpeg(let options):
            try JPEGEncoder(
                options, metadata: metadata, stopCheck: stopCheck, parallelism: parallelism, progress: progress
            ).encode(self, background: background)
        case .png(let options):
            try PNGEncoder(
                options, metadata: metadata, stopCheck: stopCheck, parallelism: parallelism, progress: progress
            ).encode(self)
        }
    }
}
