public import TexelPixels

/// How much time an encoder spends for fewer bytes.
public enum Effort: String, Sendable, Hashable, Codable, CaseIterable {
    /// The codec libraries' own defaults, as fast as they come.
    case fast
    /// Texel's own quantisation of JPEG, with the scans that come out smallest; several ways to store and to filter a
    /// PNG's rows, of which the smallest is taken.
    case balanced
    /// Everything that is tried at all.
    case best
}

/// How many pixels share one colour sample in a JPEG.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
    /// 4:4:4 from quality 97 upwards, and for pictures that are not themselves without (coloured text), else 4:2:0. With
    /// ``Effort/fast`` 4:4:4 from quality 90 upwards.
    case automatic = "auto"
    case none444 = "444"
    case half422 = "422"
    case quarter420 = "420"

    /// The brightness samples for each colour sample, across and down.
    func factors(quality: Double, effort: Effort) -> (horizontal: Int, vertical: Int) {
        switch self {
        case .none444: (1, 1)
        case .half422: (2, 1)
        case .quarter420: (2, 2)
        // Where the colour differences are made for the decoder's interpolation, photographs of equal score are smaller
        // without them up to there.
        case .automatic: quality >= (effort == .fast ? 90 : 97) ? (1, 1) : (2, 2)
        }
    }
}

/// How to write a JPEG.
public struct JPEGOptions: Sendable, Hashable {
    /// 1…100, libjpeg's scale.
    public var quality = 80
    /// What a search adds to the quality, 0..<1; ``Effort/fast`` knows only whole ones.
    package var qualityFraction = 0.0
    public var subsampling = ChromaSubsampling.automatic
    /// `nil` leaves it to the effort: `fast` is baseline, the others are whichever is smaller.
    public var isProgressive: Bool?
    public var effort = Effort.balanced
    /// Whether a picture without colours is written as a grey one.
    public var reducesLosslessly = true
    /// The quantisation and subsampling to write with, instead of what ``quality``, ``subsampling`` and the effort's own
    /// search would choose.
    package var quantization: JPEGQuantization?

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

    package var exactQuality: Double { Double(quality) + (effort == .fast ? 0 : qualityFraction) }

    /// Whether Texel's own quantiser chooses the coefficients; else libjpeg rounds them.
    var optimizesCoefficients: Bool { effort != .fast && quantization == nil }
}

/// How to write a PNG.
public struct PNGOptions: Sendable, Hashable {
    /// How a row is predicted before it is deflated.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case unfiltered, sub, up, average, paeth
        /// The one with the smallest sum of differences, row by row (PNG specification, 12.7).
        case adaptive
    }

    /// 0 (stored) … 9 (smallest); `nil` leaves it to the effort.
    public var level: Int?
    /// `nil` leaves it to the effort and the picture.
    public var filter: Filter?
    /// Whether palette, grey, fewer bits and no alpha are used where they lose nothing.
    public var reducesLosslessly = true
    public var effort = Effort.balanced
    /// How colours are given up for fewer bytes; `nil` keeps all of them.
    public var palette: PaletteOptions?
    /// Whether the image is written with all its colours if a palette saves no bytes. A search compares files itself.
    package var keepsSmallerLossless = true

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

/// A format with its options.
public enum ImageEncoding: Sendable, Hashable {
    case jpeg(JPEGOptions)
    case png(PNGOptions)

    public var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}

extension PixelBuffer {
    /// The picture as the bytes of a file.
    ///
    /// - Parameters:
    ///   - encoding: the format and its options.
    ///   - metadata: what to write beside the pixels; the colour profile comes with the pixels.
    ///   - background: what lies behind transparent pixels in a format without alpha.
    ///   - parallelism: how many threads may share the work; the bytes do not depend on it.
    /// - Throws: `cannotEncode` for options or sizes that the format does not have; `stopped`.
    public func encoded(
        as encoding: ImageEncoding, metadata: WrittenMetadata = WrittenMetadata(), background: PixelColor = .white,
        stopCheck: StopCheck? = nil, parallelism: Int = 1
    ) throws(CodecError) -> [UInt8] {
        try encoded(
            as: encoding, metadata: metadata, background: background, stopCheck: stopCheck, parallelism: parallelism,
            progress: nil)
    }

    /// Lets go of the pixels as soon as a format's own numbers have taken their place, where nobody else has them.
    ///
    /// - Parameter progress: learns how far the work is.
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
