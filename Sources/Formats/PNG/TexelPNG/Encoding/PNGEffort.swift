import TexelCodecs
import TexelPixels

/// The parameters of each effort.
struct PNGEffort {
    /// How a band is compressed.
    struct Method {
        /// libdeflate's level.
        var level: Int
        /// The number of pieces among which new deflate blocks are formed; 0 keeps libdeflate's blocks.
        var pieces = 0
        /// The number of passes in which literals and matches are replaced by cheaper ones.
        var passes = 0
    }

    /// The number of filtered bytes that are compressed as one band.
    let bandSize: Int
    /// libdeflate's level for estimates.
    let lookLevel: Int
    /// The number of strips that are measured in a larger image.
    let stripCount: Int
    /// The size of each strip in bytes.
    let stripBytes: Int
    /// The size of each strip of an image that repeats over long distances.
    var longStripBytes: Int { 4 * stripBytes }
    /// Images with at most this number of pixels take little time, whatever is tried.
    let smallPixelCount = 1 << 12
    /// A finalist's estimate may exceed the best by one part in this number.
    let tolerance: Int
    private let kind: Kind

    private enum Kind {
        case fast
        /// `balanced` for an image that was made now, which takes a few tenths of a second per megapixel.
        case quick
        /// `balanced` for a file that is compressed again, or for reduced colours.
        case thorough
        case best
    }

    init(_ options: PNGOptions) {
        kind =
            switch options.effort {
            case .fast: .fast
            case .balanced: options.palette != nil || options.compresses ? .thorough : .quick
            case .best: .best
            }
        lookLevel = kind == .fast ? 3 : 6
        switch kind {
        case .fast:
            bandSize = 1 << 20
            (stripCount, stripBytes) = (8, 32 << 10)
            tolerance = 1
        case .quick, .thorough:
            bandSize = 12 << 20
            (stripCount, stripBytes) = (8, 24 << 10)
            tolerance = 30
        case .best:
            bandSize = 6 << 20
            (stripCount, stripBytes) = (16, 64 << 10)
            tolerance = 20
        }
    }

    /// The number of pixels at the beginning of an image on which `fast` effort chooses the filter.
    static let windowPixels = 8 << 20

    /// The number of rows at the beginning of an image that hold ``windowPixels``.
    static func windowRows(of size: PixelSize) -> Int { min(size.height, max(1, windowPixels / size.width)) }

    /// Returns the number of rows at the beginning of an image over which strips are spread.
    func measuredRows(of size: PixelSize) -> Int { kind == .fast ? Self.windowRows(of: size) : size.height }

    /// Returns whether ``FilterStrategy/deflated`` is compressed fully though this one has the smallest estimate.
    func comparesTrials(with best: PNGSearch.Candidate) -> Bool {
        kind == .thorough && best.reduction.bitsPerPixel > 8 && PNGTime(for: best).allows(.comparing)
    }

    /// Returns the strategies to compare for the best format, besides no filter and ``FilterStrategy/matches``.
    func filters(for best: PNGSearch.Candidate) -> [FilterStrategy] {
        let isWide = best.reduction.bitDepth >= 8 && best.reduction.colorType != .palette
        return switch kind {
        case .fast: []
        case .quick: best.isRepetitive && isWide ? [.deflated] : []
        // In photographs the others are rarely better.
        case .thorough: best.isRepetitive ? Self.filters(for: best.reduction) : [.deflated]
        case .best: Self.filters(for: best.reduction)
        }
    }

    /// Returns all strategies that may be better than no filter and than ``FilterStrategy/matches``.
    static func filters(for reduction: PNGPixelFormat) -> [FilterStrategy] {
        reduction.bitDepth < 8
            ? [.deflated, .magnitudes, .entropy, .pairs, .pairEntropy, .fixed(2)]
            : [
                .deflated, .magnitudes, .entropy, .likelihood, .pairs, .pairEntropy, .fixed(1), .fixed(2), .fixed(3),
                .fixed(4),
            ]
    }

    /// Returns the number of candidates that are compressed fully if this one has the smallest estimate.
    func finalists(of best: PNGSearch.Candidate) -> Int {
        // Palettes and greyscale have many candidates and take less time for each.
        let isNarrow = best.reduction.bitsPerPixel <= 8
        let isLarge = best.stream.filteredByteCount > 6 << 20
        return switch kind {
        case .fast: 1
        case .quick: isNarrow ? 2 : 1
        // The final method takes most of the time for repetitive data.
        case .thorough where !PNGTime(for: best).allows(.comparing): 1
        case .thorough: isNarrow && !isLarge ? 3 : best.isRepetitive && !isNarrow ? 1 : 2
        case .best: isLarge ? 2 : 4
        }
    }

    // MARK: Compressing

    /// Returns the method for comparing this candidate with others that are compressed fully.
    func comparing(_ candidate: PNGSearch.Candidate) -> Method {
        switch kind {
        case .fast: Method(level: 1)
        case .quick: Method(level: 10, pieces: 64)
        // Packed bits are few, and their filters need matches that are chosen well.
        case .thorough: Method(level: 10, pieces: 64, passes: candidate.reduction.bitDepth < 8 ? 2 : 0)
        case .best: Method(level: 12, pieces: 256)
        }
    }

    /// Returns the method for the best candidate.
    func final(_ candidate: PNGSearch.Candidate) -> Method {
        switch kind {
        case .fast: Method(level: 1)
        case .quick: Self.quick(candidate)
        case .thorough: Self.thorough(candidate)
        case .best: Method(level: 12, pieces: 1024, passes: 8)
        }
    }

    private static func thorough(_ candidate: PNGSearch.Candidate) -> Method {
        // In photographs there are few matches that could be chosen better.
        let isNarrow = candidate.reduction.bitsPerPixel <= 8
        let choosesMatches =
            candidate.isRepetitive || isNarrow || candidate.stream.filteredByteCount <= 1 << 20
        let time = PNGTime(for: candidate)
        if choosesMatches, time.allows(.choosing) { return Method(level: 10, pieces: 256, passes: 4) }
        if time.allows(.level12) { return Method(level: 12, pieces: 256) }
        if time.allows(.level10) { return Method(level: 10, pieces: 64) }
        return Method(level: time.allows(.level9) ? 9 : PNGOptions.levelOfLargeImages)
    }

    /// Returns a method that takes less time per byte for larger images.
    private static func quick(_ candidate: PNGSearch.Candidate) -> Method {
        let bytes = candidate.stream.filteredByteCount
        if candidate.isRepetitive || bytes <= 1 << 16 {
            return Method(level: bytes <= 24 << 20 ? 12 : bytes <= 96 << 20 ? 11 : 10, pieces: 256)
        }
        return Method(level: bytes <= 96 << 20 ? 10 : PNGOptions.levelOfLargeImages)
    }

    /// Returns the number of zopfli iterations. An image takes a few seconds per megapixel, whatever its format; a
    /// small one may take more.
    func zopfliIterations(for stream: PixelStream) -> Int {
        let bytes = stream.filteredByteCount
        guard kind == .best, bytes <= 64 << 20 else { return 0 }
        let pixels = stream.rows.count * stream.rows.width
        return bytes <= 1 << 15 ? 30 : max(2, min(30, 12 * pixels / bytes))
    }

    // MARK: Progress

    /// The approximate share of the work, 0…1, that is done after the estimates.
    var looksShare: Double { kind == .best ? 0.04 : 0.15 }
    /// The approximate share of the work, 0…1, that is done after the candidates are compared.
    var comparedShare: Double { kind == .best ? 0.2 : 0.6 }
    /// The approximate share of the work, 0…1, that is done after the best candidates are deflated.
    var deflateShare: Double { kind == .best ? 0.25 : 1 }
}
