import TexelCodecs
import TexelCore
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
        effort = PNGEffort(options)
    }

    /// A format with a filter strategy.
    struct Candidate: Sendable {
        var reduction: PNGPixelFormat
        var stream: PixelStream
        /// Whether strips of the image deflated so well that stronger compression of the whole pays.
        var isRepetitive = true
    }

    /// The chosen format, and the zlib stream of the pixels in parts.
    struct Result: Sendable {
        var reduction: PNGPixelFormat
        var parts: [[UInt8]]

        var size: Int { reduction.chunkBytes + parts.reduce(0) { $0 + $1.count } }
    }

    /// Returns the smallest encoding.
    func smallest() throws(TexelError) -> Result {
        let (best, result) = try smallestDeflated()
        guard options.level == nil else { return result }
        let iterations = effort.zopfliIterations(for: best.stream)
        // In photographs there are few matches that zopfli could choose better.
        guard iterations > 0, result.size < best.stream.filteredByteCount / 3 else { return result }
        let slow = try zopflied(best, iterations: iterations)
        return slow.size < result.size ? slow : result
    }

    private func smallestDeflated() throws(TexelError) -> Finished {
        let candidates = try finalists()
        guard options.level == nil else { return Self.smallest(try deflated(candidates, upTo: effort.deflateShare)) }
        // A single candidate needs no comparison.
        let compared = candidates.count > 1 ? try deflated(candidates, upTo: effort.comparedShare) : []
        let best = compared.isEmpty ? candidates[0] : Self.smallest(compared).candidate
        return Self.smallest(compared + (try deflated([best], isFinal: true, upTo: effort.deflateShare)))
    }

    private typealias Finished = (candidate: Candidate, result: Result)

    private static func smallest(_ finished: [Finished]) -> Finished {
        finished.reduce(finished[0]) { $1.result.size < $0.result.size ? $1 : $0 }
    }

    // MARK: Choosing

    /// Returns the candidates that are compressed fully.
    private func finalists() throws(TexelError) -> [Candidate] {
        if options.effort == .fast { return [try fastCandidate()] }
        // Compare the formats first, then the filters for the best of them. For a small image, all combinations.
        let isSmall = pixels.size.width * pixels.size.height <= effort.smallPixelCount
        let filters = isSmall ? PNGEffort.filters(for: reductions[0].inBytes) : []
        // Few colours are repetitive.
        let hasFewColors = reductions[0].bitsPerPixel < 8 || reductions[0].colorType == .palette
        let stripBytes = hasFewColors ? effort.longStripBytes : effort.stripBytes
        var looks = try ranked(
            variants.flatMap { variant in
                strategies(for: variant, others: [.matches] + filters).map { candidate(variant, $0) }
            }, of: stripBytes)
        if options.filter == nil, !isSmall {
            let best = looks[0].candidate
            let others = effort.filters(for: best)
            if best.isRepetitive, !others.isEmpty, !hasFewColors {
                // Measured again in longer strips, because repetitions extend over many rows.
                let all = [.fixed(0), .matches] + others
                looks = try ranked(all.map { candidate(best.reduction, $0) }, of: effort.longStripBytes)
            } else {
                looks = Self.sorted(looks + (try ranked(others.map { candidate(best.reduction, $0) }, of: stripBytes)))
            }
        }
        let best = looks[0].candidate
        // Packed bits repeat over longer distances than estimates show.
        let isPacked = best.reduction.bitDepth < 8
        let tolerance = isSmall ? 4 : isPacked ? effort.tolerance / 2 : effort.tolerance
        let limit = looks[0].size + looks[0].size / tolerance
        let count = isSmall ? 8 : effort.finalists(of: best) * (isPacked ? 3 : 2) / 2
        let near = looks.filter { $0.size <= limit }
        guard effort.comparesTrials(with: best) else { return near.prefix(count).map(\.candidate) }
        // Its strips miss matches with earlier rows, which it counts on more than others do.
        let trial = near.dropFirst(count).filter { $0.candidate.stream.strategy == .deflated }
        return (near.prefix(count) + trial).map(\.candidate)
    }

    /// Returns the candidate that `fast` effort compresses: the first format, with the better of two filters.
    func fastCandidate() throws(TexelError) -> Candidate {
        let candidates = strategies(for: reductions[0], others: [.magnitudes]).map { candidate(reductions[0], $0) }
        return try ranked(candidates, of: effort.stripBytes)[0].candidate
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
                let orders = [
                    PaletteOrder.byLuma(reduction.palette), neighbors.byPopularity, neighbors.byNeighbors,
                ]
                for order in orders where !variants.contains(where: { $0.palette == order }) {
                    variants.append(reduction.reordered(order))
                }
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
    ///
    /// - Parameter stripBytes: the size of each strip.
    private func ranked(_ candidates: [Candidate], of stripBytes: Int) throws(TexelError) -> [Look] {
        guard candidates.count > 1 || options.effort != .fast else {
            return candidates.map { ($0, $0.stream.filteredByteCount, 0) }
        }
        // All candidates are measured on the same rows, whatever their row size.
        let bytesPerRow = PNGRows(pixels, reductions[0].inBytes).bytesPerRow
        let rowsPerStrip = max(1, stripBytes / bytesPerRow)
        let measured = effort.measuredRows(of: pixels.size)
        let rowCount = min(measured, effort.stripCount * rowsPerStrip)
        let sizes = try run(candidates.count, upTo: effort.looksShare) { index throws(TexelError) in
            let stream = candidates[index].stream
            let strips = try stream.filteredStrips(effort.stripCount, rowsPerStrip: rowsPerStrip, of: measured)
            let deflate = try Deflate(level: effort.lookLevel)
            // Scale the chunks to the part of the image that the strips cover.
            let chunkBytes = candidates[index].reduction.chunkBytes * rowCount / pixels.size.height
            return deflate.size(of: strips) + chunkBytes
        }
        return Self.sorted(
            candidates.indices.map { index in
                var candidate = candidates[index]
                let measured = min(rowCount, candidate.stream.rows.count) * candidate.stream.bytesPerFilteredRow
                candidate.isRepetitive = sizes[index] < measured / 8
                return (candidate, sizes[index], index)
            })
    }

    private static func sorted(_ looks: [Look]) -> [Look] {
        looks.sorted { ($0.size, $0.order) < ($1.size, $1.order) }
    }

    /// - Parameter share: the share of the whole work, 0…1, that is done after these jobs.
    private func run<Value: Sendable>(
        _ count: Int, upTo share: Double, _ job: @Sendable (Int) throws(TexelError) -> Value
    ) throws(TexelError) -> [Value] {
        progress?.begin(partCount: count, upTo: share)
        return try ParallelJobs.map(count, threads: parallelism) { index throws(TexelError) in
            let value = try job(index)
            progress?.advance()
            return value
        }
    }

    // MARK: Compressing

    /// Compresses each candidate fully, with the filters that were chosen for its rows.
    ///
    /// - Parameter isFinal: false if sizes are only compared.
    private func deflated(
        _ candidates: [Candidate], isFinal: Bool = false, upTo share: Double
    ) throws(TexelError) -> [Finished] {
        let jobs = candidates.indices.flatMap { candidate in
            (0..<candidates[candidate].stream.bandCount).map { (candidate: candidate, band: $0) }
        }
        let bands = try run(jobs.count, upTo: share) { index throws(TexelError) in
            try compressed(
                candidates[jobs[index].candidate], band: jobs[index].band, isFinal: isFinal,
                usesThread: parallelism > jobs.count)
        }
        var results: [Finished] = []
        var position = 0
        for var candidate in candidates {
            let own = Array(bands[position..<(position + candidate.stream.bandCount)])
            position += own.count
            candidate.stream.strategy = .chosen(own.flatMap(\.filters))
            let parts = PixelStream.joined(own, effort: options.effort)
            results.append((candidate, Result(reduction: candidate.reduction, parts: parts)))
        }
        return results
    }

    /// Compresses a band at the level of the options or of the effort, or at level 9 if that is smaller.
    ///
    /// - Parameter usesThread: whether a second thread may help.
    func compressed(
        _ candidate: Candidate, band: Int, isFinal: Bool, usesThread: Bool = false
    ) throws(TexelError) -> PixelStream.Band {
        let stream = candidate.stream
        let filtered = try stream.filteredBand(band)
        let method = isFinal ? effort.final(candidate) : effort.comparing(candidate)
        let level = options.level ?? method.level
        let (pieces, passes) = options.level == nil ? (method.pieces, method.passes) : (0, 0)
        let result = try stream.compress(
            filtered, band: band, Deflate(level: level), pieces: pieces, passes: passes,
            usesThread: usesThread)
        // Levels above 9 are tuned for data with few and short repeats. For very repetitive data level 9 is often
        // smaller.
        let plainLevel = 9
        guard options.level == nil, passes == 0, level > plainLevel, result.bytes.count < filtered.count / 16
        else { return result }
        let plain = try stream.compress(filtered, band: band, Deflate(level: plainLevel), pieces: pieces)
        return plain.bytes.count < result.bytes.count ? plain : result
    }

    /// Compresses with zopfli, in parts that refer to preceding ones.
    private func zopflied(_ candidate: Candidate, iterations: Int) throws(TexelError) -> Result {
        let stream = candidate.stream
        let bands = try ParallelJobs.map(stream.bandCount, threads: parallelism) { index throws(TexelError) in
            try stream.filteredBand(index)
        }
        let filtered = bands.count == 1 ? bands[0] : Array(bands.joined())
        let partSize = 512 << 10
        let partCount = max(1, (filtered.count + partSize / 2) / partSize)
        let parts = try run(partCount, upTo: 1) { index throws(TexelError) in
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
