import TexelPixels

/// Looks for the smallest of the ways to store a picture: quickly at many, slowly at the few that look best.
///
/// Nothing depends on the processor, the number of threads or the clock.
struct PNGSearch {
    let picture: PixelBuffer
    /// The one that is probably smallest first.
    let reductions: [PNGReduction]
    let options: PNGOptions
    let stopCheck: StopCheck?
    /// How many threads may work.
    let parallelism: Int

    /// A way to store the picture.
    struct Candidate: Sendable {
        var reduction: PNGReduction
        var stream: PixelStream
    }

    /// How the picture is stored, and the zlib stream of its pixels, in parts.
    struct Result: Sendable {
        var reduction: PNGReduction
        var parts: [[UInt8]]

        var size: Int { reduction.chunkBytes + parts.reduce(0) { $0 + $1.count } }
    }

    func smallest() throws(CodecError) -> Result {
        let effort = PNGEffort(options.effort)
        let finished = try deflated(try finalists(effort))
        let (best, result) = finished.reduce(finished[0]) { $1.1.size < $0.1.size ? $1 : $0 }
        guard options.level == nil else { return result }
        let iterations = effort.zopfliIterations(bytes: best.stream.filteredByteCount)
        // What hardly deflates is noise, of which zopfli makes nothing either.
        guard iterations > 0, result.size < best.stream.filteredByteCount / 10 * 9 else { return result }
        let slow = try zopflied(best, iterations: iterations)
        return slow.size < result.size ? slow : result
    }

    // MARK: Choosing

    /// What is worth the slow compression.
    private func finalists(_ effort: PNGEffort) throws(CodecError) -> [Candidate] {
        if options.effort == .fast {
            let strategies = strategies(for: reductions[0], others: [.magnitudes])
            let candidates = strategies.map { candidate(reductions[0], $0) }
            return try ranked(candidates, effort).prefix(1).map(\.candidate)
        }
        // The ways to store pixels first, then the filters for the best of them.
        var looks = try ranked(
            variants.flatMap { variant in strategies(for: variant, others: [.deflated]).map { candidate(variant, $0) }
            },
            effort)
        if options.filter == nil {
            let best = looks[0].candidate.reduction
            let isPacked = best.bitDepth < 8
            let others: [FilterStrategy] =
                isPacked
                ? [.magnitudes, .pairs]
                : [
                    .magnitudes, .entropy, .likelihood, .pairs, .pairEntropy, .fixed(1), .fixed(2), .fixed(3),
                    .fixed(4),
                ]
            looks += try ranked(others.map { candidate(best, $0) }, effort)
            looks = Self.sorted(looks)
        }
        let limit = looks[0].size + looks[0].size / effort.tolerance
        // Where each takes long, the first two are enough.
        let isLarge = looks[0].candidate.stream.filteredByteCount > effort.bandSize
        return looks.prefix(isLarge ? 2 : effort.finalists).filter { $0.size <= limit }.map(\.candidate)
    }

    /// Ways to store the pixels. Neighbouring numbers may compress better when they are alike, and packed bits worse.
    private var variants: [PNGReduction] {
        guard options.reducesLosslessly else { return reductions }
        return reductions.flatMap { reduction in
            var variants = [reduction]
            if reduction.colorType == .palette, reduction.palette.count > 2 {
                let neighbors = ColorNeighbors(picture, colors: reduction.palette)
                variants.append(reduction.reordered(PaletteOrder.byLuma(reduction.palette)))
                variants.append(reduction.reordered(neighbors.byPopularity))
                variants.append(reduction.reordered(neighbors.byNeighbors))
            }
            return reduction.bitDepth < 8 ? variants + variants.map(\.inBytes) : variants
        }
    }

    /// The filter that the user wants, or no filter and some others.
    private func strategies(for reduction: PNGReduction, others: [FilterStrategy]) -> [FilterStrategy] {
        if let filter = options.filter { return [FilterStrategy(filter)] }
        // Neighbouring indices and packed bits hardly predict each other.
        let isPredictable = reduction.bitDepth == 8 && reduction.colorType != .palette
        if options.effort == .fast { return isPredictable ? others + [.fixed(0)] : [.fixed(0)] }
        return [.fixed(0)] + others
    }

    private func candidate(_ reduction: PNGReduction, _ strategy: FilterStrategy) -> Candidate {
        let rows = PNGRows(picture, reduction)
        return Candidate(
            reduction: reduction,
            stream: PixelStream(
                rows: rows, strategy: strategy, bandSize: PNGEffort(options.effort).bandSize, stopCheck: stopCheck))
    }

    private typealias Look = (candidate: Candidate, size: Int, order: Int)

    /// The candidates with the size that strips of the picture take, the smallest first.
    private func ranked(_ candidates: [Candidate], _ effort: PNGEffort) throws(CodecError) -> [Look] {
        // All see the same rows, whatever a row takes.
        let bytesPerRow = reductions.reduce(1) { max($0, PNGRows(picture, $1).bytesPerRow) }
        let rowsPerStrip = max(1, effort.stripBytes / bytesPerRow)
        let rowCount = min(picture.height, effort.stripCount * rowsPerStrip)
        let sizes = try ParallelJobs.run(candidates.count, threads: parallelism) { index throws(CodecError) in
            let stream = candidates[index].stream
            let strips = try stream.filteredStrips(effort.stripCount, rowsPerStrip: rowsPerStrip)
            let deflate = try Deflate(level: effort.lookLevel)
            // The chunks count as much as they do in the whole picture.
            let chunkBytes = candidates[index].reduction.chunkBytes * rowCount / picture.height
            return deflate.size(of: strips) + chunkBytes
        }
        return Self.sorted(candidates.indices.map { (candidates[$0], sizes[$0], $0) })
    }

    private static func sorted(_ looks: [Look]) -> [Look] {
        looks.sorted { ($0.size, $0.order) < ($1.size, $1.order) }
    }

    // MARK: Compressing

    /// Each candidate with its whole stream.
    private func deflated(_ candidates: [Candidate]) throws(CodecError) -> [(Candidate, Result)] {
        let level = options.level ?? PNGEffort(options.effort).level
        let jobs = candidates.indices.flatMap { candidate in
            (0..<candidates[candidate].stream.bandCount).map { (candidate: candidate, band: $0) }
        }
        let bands = try ParallelJobs.run(jobs.count, threads: parallelism) { index throws(CodecError) in
            let stream = candidates[jobs[index].candidate].stream
            let filtered = try stream.filteredBand(jobs[index].band)
            return try stream.compress(
                filtered, band: jobs[index].band, Deflate(level: level), reblocks: options.effort != .fast)
        }
        var results: [(Candidate, Result)] = []
        var position = 0
        for candidate in candidates {
            let own = Array(bands[position..<(position + candidate.stream.bandCount)])
            position += own.count
            let parts = PixelStream.joined(own, effort: options.effort)
            results.append((candidate, Result(reduction: candidate.reduction, parts: parts)))
        }
        return results
    }

    /// Compresses by zopfli, in parts that refer to those before them.
    private func zopflied(_ candidate: Candidate, iterations: Int) throws(CodecError) -> Result {
        let stream = candidate.stream
        let bands = try ParallelJobs.run(stream.bandCount, threads: parallelism) { index throws(CodecError) in
            try stream.filteredBand(index)
        }
        let filtered = bands.count == 1 ? bands[0] : Array(bands.joined())
        let partSize = 512 << 10
        let partCount = max(1, (filtered.count + partSize / 2) / partSize)
        let parts = try ParallelJobs.run(partCount, threads: parallelism) { index throws(CodecError) in
            try stopCheck?.check()
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

/// What each effort spends.
struct PNGEffort {
    /// Filtered bytes that are compressed on their own.
    var bandSize: Int
    /// libdeflate's, for the result.
    var level: Int
    /// libdeflate's, for looks.
    var lookLevel: Int
    /// What a look sees of a larger picture.
    var stripCount: Int
    var stripBytes: Int
    /// How many of the best are compressed as a whole.
    var finalists: Int
    /// One part in so many that another finalist may look worse than the best.
    var tolerance: Int

    private let effort: Effort

    init(_ effort: Effort) {
        self.effort = effort
        switch effort {
        case .fast:
            (bandSize, level, lookLevel) = (1 << 20, 1, 3)
            (stripCount, stripBytes) = (8, 32 << 10)
            (finalists, tolerance) = (1, 1)
        case .balanced:
            (bandSize, level, lookLevel) = (6 << 20, 12, 6)
            (stripCount, stripBytes) = (16, 64 << 10)
            (finalists, tolerance) = (4, 30)
        case .best:
            (bandSize, level, lookLevel) = (6 << 20, 12, 6)
            (stripCount, stripBytes) = (16, 256 << 10)
            (finalists, tolerance) = (6, 20)
        }
    }

    /// How often zopfli may look for a cheaper stream: so often that a large photograph takes about a minute of two
    /// processors, and a small picture as long as without.
    func zopfliIterations(bytes: Int) -> Int {
        switch effort {
        case .fast: 0
        case .balanced: bytes <= 32 << 10 ? 8 : 0
        case .best: bytes <= 1 << 20 ? 30 : bytes <= 4 << 20 ? 15 : bytes <= 16 << 20 ? 5 : bytes <= 64 << 20 ? 1 : 0
        }
    }
}
