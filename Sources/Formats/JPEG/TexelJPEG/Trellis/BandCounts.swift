import TexelCodecs

/// Counts the symbols of the scans of many bands of a component in one pass over its blocks.
///
/// The bands are all ranges between two cuts of the spectrum; the parts between neighbouring cuts are called segments.
/// The symbol of a coefficient depends on the previous one. If both are in the same segment, it is the same in all
/// bands. Only the symbol of a segment's first coefficient depends on where the band begins.
///
/// Unchecked because of the tables, which are written once and then only read.
final class BandCounts: @unchecked Sendable {
    private let cuts: [Int]
    private let blocks: BlockPlane
    private let tables: Tables

    private var segmentCount: Int { cuts.count - 1 }

    /// - Parameter cuts: the first coefficients of the segments, in zigzag order, and the end of the last one: at most
    ///   nine.
    private init(_ blocks: BlockPlane, cuts: [Int]) {
        self.cuts = cuts
        self.blocks = blocks
        tables = Tables(cuts: cuts)
    }

    /// Returns the index of the band between two cuts.
    static func index(from start: Int, to end: Int) -> Int { (end &* (end &- 1)) / 2 &+ start }

    /// Returns the counts of the scan of a band.
    func scan(from start: Int, to end: Int) -> ScanCounts {
        var counts = values(from: start, to: end)
        let runs = tables.runs + Self.index(from: start, to: end) * 16
        for category in 0..<15 { counts.add(runs[category], of: category << 4, bits: category) }
        return counts
    }

    /// Returns the counts of the AC coefficients of a sequential file (ITU-T T.81, F.1.2.2). The counts must be those
    /// of first scans of all bits.
    ///
    /// - Parameter emptyBlocks: the number of blocks outside the image.
    func sequential(emptyBlocks: Int) -> ScanCounts {
        var counts = values(from: 0, to: segmentCount)
        counts.add(emptyBlocks + blocks.count - tables.fullBlocks[0], of: 0, bits: 0)
        return counts
    }

    /// Returns the counts of a band without the ends of blocks.
    private func values(from start: Int, to end: Int) -> ScanCounts {
        var counts = ScanCounts()
        for segment in start..<end {
            counts.add(tables.inner + segment * 256, bits: tables.bits[segment])
            counts.add(tables.entering(segment, from: start), bits: 0)
            for previous in start..<segment { counts.add(tables.following(segment, previous), bits: 0) }
        }
        return counts
    }
}

// MARK: First scans

extension BandCounts {
    /// Counts the first scans of bands, in which the ends of consecutive blocks are joined to runs (ITU-T T.81,
    /// G.1.2.2).
    static func first(_ masks: CoefficientMasks, cuts: [Int], lowBit: Int) -> BandCounts {
        let counts = BandCounts(masks.blocks, cuts: cuts)
        counts.countFirst(masks.level(lowBit), lowBit)
        return counts
    }

    private func countFirst(_ level: UnsafePointer<UInt64>, _ lowBit: Int) {
        let (tables, count, places) = (tables, segmentCount, ZigzagPlaces.bytes)
        // A level has one mask for each block. Masks contain only coefficients that are nonzero after the shift; their
        // categories are at most 15.
        for block in 0..<blocks.count {
            let mask = level[block]
            if mask == 0 { continue }
            let coefficients = blocks.base + block * 64
            @inline(__always) func category(_ k: Int) -> Int {
                let magnitude = Int(coefficients[Int(places[k])].magnitude) >> lowBit
                return Int.bitWidth - magnitude.leadingZeroBitCount
            }
            var (last, lastSegment, occupied, full) = (0, -1, 0, 0)
            for segment in 0..<count {
                var rest = mask & tables.segments[segment]
                if rest == 0 { continue }
                occupied |= 1 << segment
                let k = rest.trailingZeroBitCount
                let size = category(k)
                tables.enter(segment, after: last, in: lastSegment, size) { k &- $0 }
                var bits = size
                last = k
                rest &= rest &- 1
                while rest != 0 {
                    let k = rest.trailingZeroBitCount
                    let size = category(k)
                    Tables.add(k &- last &- 1, size, to: tables.inner + segment &* 256)
                    bits &+= size
                    last = k
                    rest &= rest &- 1
                }
                tables.bits[segment] += bits
                lastSegment = segment
                if last == cuts[segment + 1] - 1 { full |= 1 << segment }
            }
            tables.fullBlocks[0] += full >> (count - 1)
            var bands = tables.bands[occupied]
            while bands != 0 {
                let band = bands.trailingZeroBitCount
                bands &= bands &- 1
                tables.endRun(band, at: block)
                // The end of this block begins the next run, if the band's last coefficient is zero.
                tables.starts[band] = block &+ (full &>> (tables.ends[band] &- 1) & 1)
            }
        }
        tables.endRuns(at: blocks.count)
    }
}

// MARK: Refinement scans

extension BandCounts {
    /// libjpeg buffers 1,000 correction bits; a block may add 63 (`MAX_CORR_BITS`).
    private static let pendingLimit = 1000 - 64 + 1

    /// Counts the refinement scans of bands, which add one bit to each coefficient (ITU-T T.81, G.1.2.3).
    static func refinement(_ masks: CoefficientMasks, cuts: [Int], lowBit: Int) -> BandCounts {
        let counts = BandCounts(masks.blocks, cuts: cuts)
        counts.countRefinement(known: masks.level(lowBit + 1), all: masks.level(lowBit))
        return counts
    }

    private func countRefinement(known: UnsafePointer<UInt64>, all: UnsafePointer<UInt64>) {
        let (tables, count) = (tables, segmentCount)
        // The number of known coefficients before each cut, and after the last new one of each segment.
        var (knownBefore, knownAfter) = (InlineArray<9, Int>(repeating: 0), InlineArray<9, Int>(repeating: 0))
        for block in 0..<blocks.count where all[block] != 0 {
            let old = known[block]
            let fresh = all[block] & ~old
            var (last, lastSegment, occupied, full, present) = (0, -1, 0, 0, 0)
            for segment in 0..<count {
                let oldHere = old & tables.segments[segment]
                let oldCount = oldHere.nonzeroBitCount
                knownBefore[segment + 1] = knownBefore[segment] + oldCount
                tables.bits[segment] += oldCount
                if oldCount > 0 { present |= 1 << segment }
                var rest = fresh & tables.segments[segment]
                if rest == 0 { continue }
                occupied |= 1 << segment
                // Coefficients that are already nonzero do not count in a run.
                @inline(__always) func run(_ k: Int, from start: Int) -> Int {
                    (~old & (1 &<< UInt64(k) &- 1) & (UInt64.max &<< UInt64(start))).nonzeroBitCount
                }
                let k = rest.trailingZeroBitCount
                tables.enter(segment, after: last, in: lastSegment, 1) { run(k, from: $0) }
                var bits = 1
                last = k
                rest &= rest &- 1
                while rest != 0 {
                    let k = rest.trailingZeroBitCount
                    Tables.add(run(k, from: last &+ 1), 1, to: tables.inner + segment &* 256)
                    bits &+= 1
                    last = k
                    rest &= rest &- 1
                }
                tables.bits[segment] += bits
                lastSegment = segment
                knownAfter[segment] = (oldHere >> UInt64(last)).nonzeroBitCount
                if last == cuts[segment + 1] - 1 { full |= 1 << segment }
            }
            let (changed, refined) = (tables.bands[occupied], tables.bands[present])
            var bands = changed | refined
            while bands != 0 {
                let band = bands.trailingZeroBitCount
                let end = tables.ends[band]
                bands &= bands &- 1
                if changed >> UInt64(band) & 1 == 1 {
                    tables.endRun(band, at: block)
                    // The last segment of the band that has a new coefficient.
                    let segment = Int.bitWidth - 1 - (occupied & (1 << end - 1)).leadingZeroBitCount
                    let isFull = full >> (end - 1) & 1 == 1
                    tables.starts[band] = isFull ? block + 1 : block
                    tables.pending[band] =
                        isFull ? 0 : knownAfter[segment] + knownBefore[end] - knownBefore[segment + 1]
                } else {
                    let start = band - Self.index(from: 0, to: end)
                    tables.pending[band] = tables.endWholeRuns(band, at: block) ? 0 : tables.pending[band]
                    tables.pending[band] += knownBefore[end] - knownBefore[start]
                    if tables.pending[band] > Self.pendingLimit {
                        tables.endRun(band, at: block + 1)
                        tables.starts[band] = block + 1
                        tables.pending[band] = 0
                    }
                }
            }
        }
        tables.endRuns(at: blocks.count)
    }
}

// MARK: Tables

/// The counts of a ``BandCounts`` in memory of fixed size, for its loops.
private final class Tables {
    private let memory: UnsafeMutablePointer<Int>
    private let segmentCount: Int
    private let bandCount: Int

    /// For each segment, the counts of the symbols of coefficients after its first one; 256 each.
    let inner: UnsafeMutablePointer<Int>
    /// For each segment and each start of a band, the counts of the symbols of its first coefficients; 256 each. Those
    /// in `firsts` have no other coefficient before them in the band; those in `others` have one in the segment at
    /// whose index they are, and count for all bands that begin there or before.
    private let firsts: UnsafeMutablePointer<Int>
    private let others: UnsafeMutablePointer<Int>
    /// For each segment, the number of bits besides the Huffman codes.
    let bits: UnsafeMutablePointer<Int>
    /// For each band, the counts of the runs of ends of blocks by category (EOBn); 16 each.
    let runs: UnsafeMutablePointer<Int>
    /// For each band, the block whose end begins the current run, and the number of correction bits in the run.
    let starts: UnsafeMutablePointer<Int>
    let pending: UnsafeMutablePointer<Int>
    /// For each band, the index of the cut at its end.
    let ends: UnsafeMutablePointer<Int>
    /// The number of blocks whose last coefficient is not zero.
    let fullBlocks: UnsafeMutablePointer<Int>
    /// For each segment, its first coefficient.
    private let cuts: UnsafeMutablePointer<Int>
    /// For each segment, a mask of its coefficients.
    let segments: UnsafeMutablePointer<UInt64>
    /// For each set of segments, a mask of the bands that contain any of them.
    let bands: UnsafeMutablePointer<UInt64>

    /// The longest run that a symbol can code (ITU-T T.81, table G.1).
    private static let longest = 0x7FFF

    init(cuts: [Int]) {
        let segmentCount = cuts.count - 1
        let bandCount = segmentCount * (segmentCount + 1) / 2
        (self.segmentCount, self.bandCount) = (segmentCount, bandCount)
        let sizes = [
            segmentCount * 256, bandCount * 256, segmentCount, bandCount * 16, bandCount, bandCount, bandCount, 1,
            segmentCount, bandCount * 256,
        ]
        memory = .allocate(capacity: sizes.reduce(0, +))
        memory.initialize(repeating: 0, count: sizes.reduce(0, +))
        var next = memory
        func part(_ index: Int) -> UnsafeMutablePointer<Int> {
            defer { next += sizes[index] }
            return next
        }
        (inner, firsts, bits, runs) = (part(0), part(1), part(2), part(3))
        (starts, pending, ends, fullBlocks, self.cuts) = (part(4), part(5), part(6), part(7), part(8))
        others = part(9)
        segments = .allocate(capacity: segmentCount)
        bands = .allocate(capacity: 1 << segmentCount)
        bands.initialize(repeating: 0, count: 1 << segmentCount)
        for segment in 0..<segmentCount {
            self.cuts[segment] = cuts[segment]
            let mask = (UInt64.max << UInt64(cuts[segment])) & (UInt64.max >> UInt64(64 - cuts[segment + 1]))
            (segments + segment).initialize(to: mask)
        }
        for end in 1...segmentCount {
            for start in 0..<end {
                let band = BandCounts.index(from: start, to: end)
                ends[band] = end
                let inside = 1 << end - 1 << start
                for set in 0..<(1 << segmentCount) where set & inside != 0 { bands[set] |= 1 << UInt64(band) }
            }
        }
    }

    deinit {
        memory.deallocate()
        segments.deallocate()
        bands.deallocate()
    }

    /// The counts of the first coefficients of a segment, at least `start`, in bands that begin with segment `start`
    /// and have no other coefficients before.
    @inline(__always) func entering(_ segment: Int, from start: Int) -> UnsafeMutablePointer<Int> {
        firsts + BandCounts.index(from: start, to: segment &+ 1) &* 256
    }

    /// The counts of the first coefficients of a segment after coefficients of segment `previous`, in all bands that
    /// have both.
    @inline(__always) func following(_ segment: Int, _ previous: Int) -> UnsafeMutablePointer<Int> {
        others + BandCounts.index(from: previous, to: segment &+ 1) &* 256
    }

    /// Counts a run of zeros and a value of a category below 16.
    @inline(__always) static func add(_ run: Int, _ category: Int, to symbols: UnsafeMutablePointer<Int>) {
        if run > 15 { symbols[0xF0] &+= run >> 4 }
        symbols[(run & 15) << 4 | category] &+= 1
    }

    /// Counts the first coefficient of a segment, for each start of a band.
    ///
    /// - Parameters:
    ///   - last: the previous coefficient; 0 if there is none.
    ///   - previous: the segment of the previous coefficient; -1 if there is none.
    ///   - run: returns the number of zeros from a coefficient on.
    @inline(__always) func enter(
        _ segment: Int, after last: Int, in previous: Int, _ category: Int, run: (_ start: Int) -> Int
    ) {
        if previous >= 0 { Self.add(run(last &+ 1), category, to: following(segment, previous)) }
        for start in (previous &+ 1)...segment {
            Self.add(run(cuts[start]), category, to: entering(segment, from: start))
        }
    }

    /// Counts the runs that are as long as a symbol can code; returns whether there are any.
    @inline(__always) func endWholeRuns(_ band: Int, at block: Int) -> Bool {
        guard block &- starts[band] >= Self.longest else { return false }
        let count = (block - starts[band]) / Self.longest
        runs[band * 16 + 14] += count
        starts[band] += count * Self.longest
        return true
    }

    /// Counts a band's current run, which ends before `block`.
    @inline(__always) func endRun(_ band: Int, at block: Int) {
        _ = endWholeRuns(band, at: block)
        let count = block &- starts[band]
        if count > 0 { runs[band &* 16 &+ Int.bitWidth &- 1 &- count.leadingZeroBitCount] &+= 1 }
    }

    /// Counts the current runs of all bands, which end before `block`.
    func endRuns(at block: Int) {
        for band in 0..<bandCount { endRun(band, at: block) }
    }
}
