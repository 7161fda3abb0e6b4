import TexelCodecs
import TexelPixels

/// Finds the smallest encoding of an image: many candidates are compared quickly on strips of the image, and the best
/// few are compressed fully.
///
/// The result does not depend on the processor, the number of threads or the clock.
struct PNGSearch {
    let pixels: PNGPixels
    /// The formats to try, the one with the smallest estimate first.
    let reductions: [PNGPixelFormat]
    let options: PNGOptions
    let stop: StopToken?
    /// The maximum number of threads.
    let parallelism: Int
    private let effort: PNGEffort
    private let progress: EncodingProgress?

    init(
        pixels: PNGPixels, reductions: [PNGPixelFormat], options: PNGOptions, stop: StopToken?, parallelism: Int,
        progress: EncodingProgress? = nil
    ) {
        self.pixels = pixels
        self.reductions = reductions
        self.options = options
        self.stop = stop
        self.parallelism = parallelism
        self.progress = progress
        let isQuick = options.palette != nil && options.effort == .balanced
        effort = isQuick ? .quickPalette : PNGEffort(options.effort)
    }

    /// A format with a filter strategy.
    struct Candidate: Sendable {
        var reduction: PNGPixelFormat
        var stream: PixelStream
    }

    /// The chosen format, and the zlib stream of the pixels in parts.
    struct Result: Sendable {
        var reduction: PNGPixelFormat
        var parts: [[UInt8]]

        var size: Int { reduction.chunkBytes + parts.reduce(0) { $0 + $1.count } }
    }

    /// Returns the smallest encoding.
    func smallest() throws(CodecError) -> Result {
        var finished = try deflated(try finalists(), level: options.level, upTo: effort.deflateShare)
        if options.level == nil, effort.passes > 0 {
            finished += try deflated(
                closest(finished), level: effort.finalLevel, passes: effort.passes, upTo: effort.refinementShare)
        }
        let (best, result) = finished.reduce(finished[0]) { $1.result.size < $0.result.size ? $1 : $0 }
        guard options.level == nil else { return result }
        let iterations = effort.zopfliIterations(bytes: best.stream.filteredByteCount)
        // Data that hardly deflates is noise, and zopfli cannot improve it.
        guard iterations > 0, result.size < best.stream.filteredByteCount / 10 * 9 else { return result }
        let slow = try zopflied(best, iterations: iterations)
        return slow.size < result.size ? slow : result
    }

    /// Returns the candidates that are worth the slowest compression: the smallest, and for a small image also the
    /// next if it is nearly as small.
    private func closest(_ finished: [(candidate: Candidate, result: Result)]) -> [Candidate] {
        let sorted = finished.enumerated().sorted {
            ($0.element.result.size, $0.offset) < ($1.element.result.size, $1.offset)
        }.map(\.element)
        let isLarge = sorted[0].candidate.stream.filteredByteCount > effort.mediumBytes
        let limit = sorted[0].result.size + sorted[0].result.size / 300
        return sorted.prefix(isLarge || effort.isQuick ? 1 : 2).filter { $0.result.size <= limit }.map(\.candidate)
    }

    // MARK: Choosing

    /// Returns the candidates that are compressed fully.
    private func finalists() throws(CodecError) -> [Candidate] {
        if options.effort == .fast {
            let strategies = strategies(for: reductions[0], others: [.magnitudes])
            let candidates = strategies.map { candidate(reductions[0], $0) }
            return try ranked(candidates).prefix(1).map(\.candidate)
        }
        if effort.isQuick {
            // Unfiltered rows have the most repetition, of which strips show little, so one candidate without a filter
            // and two with filters are compressed fully.
            let looks = try ranked(quickCandidates)
            let limit = looks[0].size + looks[0].size / 12
            let (plain, filtered) = looks.reduce(into: ([Look](), [Look]())) { lists, look in
                if look.candidate.stream.strategy == .fixed(0) { lists.0.append(look) } else { lists.1.append(look) }
            }
            return (plain.prefix(1) + filtered.prefix(2)).filter { $0.size <= limit }.map(\.candidate)
        }
        // Compare the formats first, then the filters for the best of them. For a small image, all combinations.
        let isSmall = pixels.size.width * pixels.size.height <= effort.smallPixelCount
        let filters = isSmall ? [.deflated] + Self.filters(for: reductions[0].inBytes) : [.deflated]
        var looks = try ranked(
            variants.flatMap { variant in strategies(for: variant, others: filters).map { candidate(variant, $0) } })
        if options.filter == nil, !isSmall {
            let best = looks[0].candidate.reduction
            let others = Self.filters(for: best)
            looks += try ranked(others.map { candidate(best, $0) })
            looks = Self.sorted(looks)
        }
        // Packed bits repeat over longer distances than estimates show.
        let isPacked = looks[0].candidate.reduction.bitDepth < 8
        let limit = looks[0].size + looks[0].size / (isSmall ? 4 : isPacked ? effort.tolerance / 2 : effort.tolerance)
        // Large images get two finalists, small ones more.
        let isLarge = looks[0].candidate.stream.filteredByteCount > 6 << 20
        let count =
            isLarge ? 2 : isSmall ? 2 * effort.finalists : isPacked ? effort.finalists * 3 / 2 : effort.finalists
        return looks.prefix(count).filter { $0.size <= limit }.map(\.candidate)
    }

    /// Returns the strategies that may be better than no filter and than ``FilterStrategy/deflated``.
    private static func filters(for reduction: PNGPixelFormat) -> [FilterStrategy] {
        reduction.bitDepth < 8
            ? [.magnitudes, .entropy, .pairs, .pairEntropy, .fixed(2)]
            : [.magnitudes, .entropy, .likelihood, .pairs, .pairEntropy, .fixed(1), .fixed(2), .fixed(3), .fixed(4)]
    }

    /// The few candidates for an image whose colours were reduced here. Without a filter, the order of the palette
    /// affects only the size of the code descriptions. In dithered images adjacent indices predict each other poorly.
    private var quickCandidates: [Candidate] {
        let reduction = reductions[0]
        guard reduction.colorType == .palette, options.filter == nil else {
            return strategies(for: reduction, others: [.magnitudes]).map { candidate(reduction, $0) }
        }
        guard reduction.bitDepth == 8 else {
            return [candidate(reduction, .fixed(0)), candidate(reduction.inBytes, .fixed(0))]
        }
        guard let neighbors = pixels.neighbors(of: reduction.palette) else {
            return [candidate(reduction, .fixed(0))]
        }
        let ordered = reduction.reordered(neighbors.byNeighbors)
        let byLuma = reduction.reordered(PaletteOrder.byLuma(reduction.palette))
        return [
            candidate(reduction, .fixed(0)), candidate(reduction.reordered(neighbors.byPopularity), .fixed(0)),
            candidate(ordered, .fixed(1)), candidate(ordered, .entropy), candidate(ordered, .likelihood),
            candidate(byLuma, .likelihood), candidate(byLuma, .deflated), candidate(reduction, .deflated),
        ]
    }

    /// The formats to compare: other orders of the palette, and one byte per index. Similar values of adjacent pixels
    /// may compress better; packed bits may compress worse.
    private var variants: [PNGPixelFormat] {
        guard options.reducesLosslessly else { return reductions }
        return reductions.flatMap { reduction in
            var variants = [reduction]
            if reduction.colorType == .palette, reduction.palette.count > 2,
                let neighbors = pixels.neighbors(of: reduction.palette)
            {
                variants.append(reduction.reordered(PaletteOrder.byLuma(reduction.palette)))
                variants.append(reduction.reordered(neighbors.byPopularity))
                variants.append(reduction.reordered(neighbors.byNeighbors))
            }
            return reduction.bitDepth < 8 ? variants + variants.map(\.inBytes) : variants
        }
    }

    /// Returns the strategy of the options, or no filter and the given others.
    private func strategies(for reduction: PNGPixelFormat, others: [FilterStrategy]) -> [FilterStrategy] {
        if let filter = options.filter { return [FilterStrategy(filter)] }
        // Palette indices and packed bits hardly predict their neighbours.
        let isPredictable = reduction.bitDepth >= 8 && reduction.colorType != .palette
        if options.effort == .fast { return isPredictable ? others + [.fixed(0)] : [.fixed(0)] }
        return [.fixed(0)] + others
    }

    private func candidate(_ reduction: PNGPixelFormat, _ strategy: FilterStrategy) -> Candidate {
        let rows = PNGRows(pixels, reduction)
        return Candidate(
            reduction: reduction,
            stream: PixelStream(rows: rows, strategy: strategy, bandSize: effort.bandSize, stop: stop))
    }

    private typealias Look = (candidate: Candidate, size: Int, order: Int)

    /// Returns the candidates with their estimated sizes, measured on strips of the image, the smallest first.
    private func ranked(_ candidates: [Candidate]) throws(CodecError) -> [Look] {
        guard candidates.count > 1 else { return candidates.map { ($0, $0.stream.filteredByteCount, 0) } }
        // All candidates are measured on the same rows, whatever their row size.
        let bytesPerRow = reductions.reduce(1) { max($0, PNGRows(pixels, $1).bytesPerRow) }
        let rowsPerStrip = max(1, effort.stripBytes / bytesPerRow)
        let rowCount = min(pixels.size.height, effort.stripCount * rowsPerStrip)
        let sizes = try run(candidates.count, upTo: effort.looksShare) { index throws(CodecError) in
            let stream = candidates[index].stream
            let strips = try stream.filteredStrips(effort.stripCount, rowsPerStrip: rowsPerStrip)
            let deflate = try Deflate(level: effort.lookLevel)
            // Scale the chunks to the part of the image that the strips cover.
            let chunkBytes = candidates[index].reduction.chunkBytes * rowCount / pixels.size.height
            return deflate.size(of: strips) + chunkBytes
        }
        return Self.sorted(candidates.indices.map { (candidates[$0], sizes[$0], $0) })
    }

    private static func sorted(_ looks: [Look]) -> [Look] {
        looks.sorted { ($0.size, $0.order) < ($1.size, $1.order) }
    }

    /// - Parameter share: the share of the whole work, 0…1, that is done after these jobs.
    private func run<Value: Sendable>(
        _ count: Int, upTo share: Double, _ job: @Sendable (Int) throws(CodecError) -> Value
    ) throws(CodecError) -> [Value] {
        progress?.begin(partCount: count, upTo: share)
        return try ParallelJobs.map(count, threads: parallelism) { index throws(CodecError) in
            let value = try job(index)
            progress?.advance()
            return value
        }
    }

    // MARK: Compressing

    /// Compresses each candidate fully.
    ///
    /// - Parameters:
    ///   - level: libdeflate's level; `nil` lets the effort decide.
    ///   - passes: the number of passes in which libdeflate's literals and matches are replaced by cheaper ones.
    private func deflated(
        _ candidates: [Candidate], level: Int?, passes: Int = 0, upTo share: Double
    ) throws(CodecError) -> [(candidate: Candidate, result: Result)] {
        let jobs = candidates.indices.flatMap { candidate in
            (0..<candidates[candidate].stream.bandCount).map { (candidate: candidate, band: $0) }
        }
        let bands = try run(jobs.count, upTo: share) { index throws(CodecError) in
            let stream = candidates[jobs[index].candidate].stream
            return try compressed(
                stream, band: jobs[index].band, level: level ?? effort.level(bytes: stream.filteredByteCount),
                passes: passes)
        }
        var results: [(candidate: Candidate, result: Result)] = []
        var position = 0
        for candidate in candidates {
            let own = Array(bands[position..<(position + candidate.stream.bandCount)])
            position += own.count
            let parts = PixelStream.joined(own, effort: options.effort)
            results.append((candidate, Result(reduction: candidate.reduction, parts: parts)))
        }
        return results
    }

    /// Compresses a band at the given level, or at level 9 if that is smaller.
    private func compressed(
        _ stream: PixelStream, band: Int, level: Int, passes: Int
    ) throws(CodecError) -> PixelStream.Band {
        let filtered = try stream.filteredBand(band)
        let pieces = passes == 0 ? effort.pieces / 4 : effort.pieces
        let result = try stream.compress(filtered, band: band, Deflate(level: level), pieces: pieces, passes: passes)
        // Levels above 9 are tuned for data with few and short repeats. For very repetitive data level 9 is often
        // smaller.
        let plainLevel = 9
        guard options.level == nil, level > plainLevel, result.bytes.count < filtered.count / 16 else { return result }
        let plain = try stream.compress(
            filtered, band: band, Deflate(level: plainLevel), pieces: pieces, passes: passes)
        return plain.bytes.count < result.bytes.count ? plain : result
    }

    /// Compresses with zopfli, in parts that refer to preceding ones.
    private func zopflied(_ candidate: Candidate, iterations: Int) throws(CodecError) -> Result {
        let stream = candidate.stream
        let bands = try ParallelJobs.map(stream.bandCount, threads: parallelism) { index throws(CodecError) in
            try stream.filteredBand(index)
        }
        let filtered = bands.count == 1 ? bands[0] : Array(bands.joined())
        let partSize = 512 << 10
        let partCount = max(1, (filtered.count + partSize / 2) / partSize)
        let parts = try run(partCount, upTo: 1) { index throws(CodecError) in
            try stop?.check()
            let range = (filtered.count * index / partCount)..<(filtered.count * (index + 1) / partCount)
            return Zopfli.compressed(filtered, range, iterations: iterations, isLast: index == partCount - 1)
        }
        var bits = Zopfli.Bits()
        for part in parts { bits.append(part) }
        var checksum = Adler32()
        checksum.append(filtered.withUnsafeBytes(Adler32.checksum), count: filtered.count)
        return Result(
            reduction: candidate.reduction, parts: [Zlib.header(options.effort) + bits.bytes + checksum.bytes])
    }
}

/// The parameters of each effort.
struct PNGEffort {
    /// The number of filtered bytes that are compressed as one band.
    var bandSize: Int
    /// libdeflate's level for comparing candidates that are compressed fully; medium images get at least `finalLevel`.
    var level: Int
    /// libdeflate's level for the best candidates.
    var finalLevel: Int
    /// The number of passes in which literals and matches of the best candidates are replaced by cheaper ones.
    var passes: Int
    /// libdeflate's level for estimates.
    var lookLevel: Int
    /// The number of strips that are measured in a larger image.
    var stripCount: Int
    /// The size of each strip in bytes.
    var stripBytes: Int
    /// The maximum number of candidates that are compressed fully.
    var finalists: Int
    /// Images with at most this number of filtered bytes can be compressed several times at `finalLevel`.
    let mediumBytes = 3 << 19
    /// Images with at most this number of pixels take little time, whatever is tried.
    let smallPixelCount = 1 << 12
    /// A finalist's estimate may exceed the best by one part in this number.
    var tolerance: Int

    /// The number of pieces in a band among which new deflate blocks are formed; 0 keeps libdeflate's blocks.
    var pieces = 1024
    /// Whether a few candidates are enough.
    var isQuick = false

    private let effort: Effort

    /// The parameters of `balanced` for an image whose colours were reduced here, which takes time already.
    static var quickPalette: PNGEffort {
        var result = PNGEffort(.balanced)
        result.bandSize = 4 << 20
        (result.stripCount, result.stripBytes) = (6, 64 << 10)
        (result.isQuick, result.passes) = (true, 4)
        return result
    }

    init(_ effort: Effort) {
        self.effort = effort
        switch effort {
        case .fast:
            (bandSize, level, lookLevel) = (1 << 20, 1, 3)
            (finalLevel, passes) = (1, 0)
            (stripCount, stripBytes) = (8, 32 << 10)
            (finalists, tolerance) = (1, 1)
            pieces = 0
        case .balanced:
            (bandSize, level, lookLevel) = (12 << 20, 10, 6)
            (finalLevel, passes) = (12, 6)
            (stripCount, stripBytes) = (16, 64 << 10)
            (finalists, tolerance) = (4, 30)
        case .best:
            (bandSize, level, lookLevel) = (6 << 20, 12, 6)
            (finalLevel, passes) = (12, 15)
            (stripCount, stripBytes) = (16, 256 << 10)
            (finalists, tolerance) = (6, 20)
        }
    }

    /// The approximate share of the work, 0…1, that is done after the estimates.
    var looksShare: Double { effort == .best ? 0.04 : isQuick ? 0.4 : 0.05 }
    /// The approximate share of the work, 0…1, that is done after the candidates are compared.
    var deflateShare: Double { passes == 0 ? 1 : effort == .best ? 0.2 : 0.6 }
    /// The approximate share of the work, 0…1, that is done after literals and matches are replaced.
    var refinementShare: Double { effort == .best ? 0.25 : 1 }

    /// Returns libdeflate's level for comparing candidates of this number of filtered bytes.
    func level(bytes: Int) -> Int { isQuick || bytes > mediumBytes ? level : max(level, finalLevel) }

    /// Returns the number of zopfli iterations, so that a large photograph takes about a minute on two processors.
    func zopfliIterations(bytes: Int) -> Int {
        switch effort {
        case .fast: 0
        case .balanced: 0
        case .best: bytes <= 1 << 20 ? 30 : bytes <= 4 << 20 ? 15 : bytes <= 16 << 20 ? 5 : bytes <= 64 << 20 ? 1 : 0
        }
    }
}
