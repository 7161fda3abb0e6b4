import TexelCodecs
import TexelCore

/// Finds the scan script that makes the file smallest. The sizes of scans are counted; nothing is encoded.
struct ScanChoice {
    private let coefficients: JPEGCoefficients
    private let masks: [CoefficientMasks]
    private let rows: BlockRows
    /// The counts of DC scans of all bits and of all but one, for each component, alone and interleaved.
    private let means: [[(alone: ScanCounts, interleaved: ScanCounts)]]
    /// The counts of AC scans of all bits, for each component.
    private let bandCounts: [BandCounts]

    /// The first AC coefficients of the bands into which the spectrum may be divided.
    private static let cuts = [1, 2, 3, 6, 9, 64]

    /// - Throws: `outOfMemory`, `stopped`.
    init(_ coefficients: JPEGCoefficients, _ rows: BlockRows) throws(TexelError) {
        self.coefficients = coefficients
        self.rows = rows
        let masks = try coefficients.components.map { component throws(TexelError) in
            try CoefficientMasks(component.blocks, rows)
        }
        self.masks = masks
        let groups = Self.groups(of: coefficients)
        means = try rows.map(masks.count) { component in
            let factors = Self.factors(component, of: coefficients)
            return (0...1).map { lowBit in
                (
                    ScanCounts.means(masks[component], lowBit: lowBit),
                    ScanCounts.means(masks[component], lowBit: lowBit, groupedBy: factors, groups: groups)
                )
            }
        }
        bandCounts = try rows.map(masks.count) { BandCounts.first(masks[$0], cuts: Self.cuts, lowBit: 0) }
    }

    /// Returns the smallest script.
    ///
    /// - Parameter isProgressive: `nil` for the smaller of the two.
    func smallest(isProgressive: Bool?) throws(TexelError) -> ScanScript {
        switch isProgressive {
        case true?: return try progressive()
        case false?: return sequential()
        case nil:
            let (one, many) = (sequential(), try progressive())
            return one.byteCount <= many.byteCount ? one : many
        }
    }

    /// Returns the script of a sequential file, with a single scan.
    func sequential() -> ScanScript {
        let sizes = sequentialCounts.flatMap { [$0.means.size, $0.frequencies.size] }
        return ScanScript(scans: [], byteCount: byteCount(sizes, componentCount: masks.count))
    }

    /// The symbols of a sequential file: those of luma, then those of chroma.
    var sequentialCounts: [SequentialCounts] {
        let counts = masks.indices.map { index in
            SequentialCounts(
                means: means[index][0].interleaved,
                frequencies: bandCounts[index].sequential(
                    emptyBlocks: interleavedCount(index) - masks[index].blocks.count))
        }
        // Both chroma components share their tables.
        return counts.count == 3 ? [counts[0], counts[1] + counts[2]] : counts
    }

    /// Returns the smallest progressive script: DC scans, first scans of AC bands, then refinements.
    func progressive() throws(TexelError) -> ScanScript {
        let means = smallestMeans()
        let frequencies = try bands()
        // Order the scans so that precision increases over the whole image: this gives useful previews of an arriving
        // file.
        let scans = frequencies.flatMap(\.scans).sorted { a, b in
            (-a.lowBit, a.highBit, a.coefficients.lowerBound > 1 ? 1 : 0, a.components[0])
                < (-b.lowBit, b.highBit, b.coefficients.lowerBound > 1 ? 1 : 0, b.components[0])
        }
        let first = scans.filter { $0.highBit == 0 }
        let later = scans.filter { $0.highBit > 0 }
        return ScanScript(
            scans: means.scans + first + later, byteCount: frequencies.reduce(means.byteCount) { $0 + $1.byteCount })
    }

    // MARK: DC coefficients

    private func smallestMeans() -> ScanScript {
        let candidates = (0...1).flatMap { lowBit in
            groupings.map { meansScript($0, lowBit: lowBit) }
        }
        return candidates.min { $0.byteCount < $1.byteCount } ?? ScanScript(scans: [], byteCount: 0)
    }

    /// The ways to group the components into DC scans.
    private var groupings: [[[Int]]] { masks.count == 1 ? [[[0]]] : [[[0, 1, 2]], [[0], [1, 2]], [[0], [1], [2]]] }

    private func meansScript(_ groups: [[Int]], lowBit: Int) -> ScanScript {
        var scans: [ScanScript.Scan] = []
        var bytes = 0
        for group in groups {
            let isInterleaved = group.count > 1
            let counts = group.map { index in
                isInterleaved && group.contains(0) ? means[index][lowBit].interleaved : means[index][lowBit].alone
            }
            // Both chroma components share a table.
            let tables =
                group.suffix(2) == [1, 2]
                ? counts.dropLast(2) + [counts[group.count - 2] + counts[group.count - 1]] : counts
            bytes += byteCount(tables.map(\.size), componentCount: group.count)
            scans.append(ScanScript.Scan(components: group, coefficients: 0...0, lowBit: lowBit))
        }
        for bit in (0..<lowBit).reversed() {
            // Refinement scans of DC have one bit per block and no Huffman table.
            for group in groups {
                let blocks = group.reduce(0) { sum, index in
                    sum + (group.count > 1 && group.contains(0) ? interleavedCount(index) : masks[index].blocks.count)
                }
                bytes += byteCount([(blocks, 0)], componentCount: group.count)
                scans.append(
                    ScanScript.Scan(components: group, coefficients: 0...0, highBit: bit + 1, lowBit: bit))
            }
        }
        return ScanScript(scans: scans, byteCount: bytes)
    }

    /// The number of MCUs in each direction in an interleaved scan (ITU-T T.81, A.2.3).
    private static func groups(of coefficients: JPEGCoefficients) -> (across: Int, down: Int) {
        let (width, height) = (coefficients.size.width, coefficients.size.height)
        let (across, down) = (8 * coefficients.sampling.horizontal, 8 * coefficients.sampling.vertical)
        return ((width + across - 1) / across, (height + down - 1) / down)
    }

    private static func factors(
        _ component: Int, of coefficients: JPEGCoefficients
    ) -> (horizontal: Int, vertical: Int) {
        component == 0 ? coefficients.sampling : (1, 1)
    }

    /// Returns a component's number of blocks in an interleaved scan, including those outside the image.
    private func interleavedCount(_ component: Int) -> Int {
        let (groups, factors) = (Self.groups(of: coefficients), Self.factors(component, of: coefficients))
        return groups.across * groups.down * factors.horizontal * factors.vertical
    }

    // MARK: AC coefficients

    /// Returns the smallest AC scans of each component: every band is measured, then dynamic programming finds the best
    /// division.
    private func bands() throws(TexelError) -> [ScanScript] {
        let cuts = Self.cuts
        let parts = cuts.indices.flatMap { end in (0..<end).map { (start: $0, end: end) } }
        var searches = masks.indices.map { component in
            parts.map { BandSearch(component: component, band: cuts[$0.start]...(cuts[$0.end] - 1)) }
        }
        for lowBit in 0..<(CoefficientMasks.levels - 1) {
            let open = masks.indices.filter { searches[$0].contains(where: \.isOpen) }
            // All bands are tried with one bit less, so count that together with the first scans of all bits.
            let scans = (lowBit == 0 ? [(0, false)] : []) + [(lowBit, true), (lowBit + 1, false)]
            let jobs = scans.flatMap { scan in open.map { (component: $0, lowBit: scan.0, isRefinement: scan.1) } }
            let sizes = try rows.map(jobs.count) { index in
                let job = jobs[index]
                let counts = counts(of: job.component, lowBit: job.lowBit, isRefinement: job.isRefinement)
                return parts.map { byteCount([counts.scan(from: $0.start, to: $0.end).size], componentCount: 1) }
            }
            for (job, sizes) in zip(jobs, sizes) {
                for part in parts.indices {
                    searches[job.component][part].add(sizes[part], lowBit: job.lowBit, isRefinement: job.isRefinement)
                }
            }
        }
        return searches.map { searches in
            // `best[end]` has the smallest scans of all coefficients before that cut.
            var best = [ScanScript(scans: [], byteCount: 0)]
            for end in cuts.indices.dropFirst() {
                let ways = zip(parts, searches).filter { $0.0.end == end }.map { best[$0.0.start] + $0.1.script }
                best.append(ways.min { $0.byteCount < $1.byteCount } ?? best[0])
            }
            return best[cuts.count - 1]
        }
    }

    private func counts(of component: Int, lowBit: Int, isRefinement: Bool) -> BandCounts {
        if isRefinement { return BandCounts.refinement(masks[component], cuts: Self.cuts, lowBit: lowBit) }
        return lowBit == 0
            ? bandCounts[component] : BandCounts.first(masks[component], cuts: Self.cuts, lowBit: lowBit)
    }

    /// Finds the smallest scans of one band, with as many refinement scans (successive approximation) as save bytes.
    private struct BandSearch {
        let component: Int
        let band: ClosedRange<Int>
        private(set) var isOpen = true
        private var refinements = ScanScript(scans: [], byteCount: 0)
        private var best: ScanScript?

        init(component: Int, band: ClosedRange<Int>) {
            self.component = component
            self.band = band
        }

        var script: ScanScript { best ?? refinements }

        /// Adds the size of a scan. First scans come in the order of their low bits, each after the refinement scans
        /// that add these bits.
        mutating func add(_ byteCount: Int, lowBit: Int, isRefinement: Bool) {
            guard isOpen else { return }
            let scan = ScanScript(
                scans: [
                    ScanScript.Scan(
                        components: [component], coefficients: band, highBit: isRefinement ? lowBit + 1 : 0,
                        lowBit: lowBit)
                ], byteCount: byteCount)
            if isRefinement {
                refinements = scan + refinements
                return
            }
            let script = scan + refinements
            if let best, best.byteCount * 33 / 32 < script.byteCount {
                isOpen = false
            } else if best.map({ script.byteCount < $0.byteCount }) ?? true {
                best = script
            }
        }
    }

    /// Returns the size of a scan with its header and Huffman tables, in bytes.
    private func byteCount(_ sizes: [(bits: Int, tableBytes: Int)], componentCount: Int) -> Int {
        let header = 2 + 2 + 1 + 2 * componentCount + 3
        return sizes.reduce(header) { $0 + $1.tableBytes } + (sizes.reduce(0) { $0 + $1.bits } + 7) / 8
    }
}

extension ScanScript {
    fileprivate static func + (a: ScanScript, b: ScanScript) -> ScanScript {
        ScanScript(scans: a.scans + b.scans, byteCount: a.byteCount + b.byteCount)
    }
}
