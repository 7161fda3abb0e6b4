import Synchronization

/// Finds the scans that make a picture's file smallest, by counting what each would take.
struct ScanChoice {
    private let coefficients: JPEGCoefficients
    private let masks: [CoefficientMasks]
    private let rows: BlockRows

    /// Where the frequencies may be cut into bands: before the first of each.
    private static let cuts = [1, 2, 3, 6, 9, 64]

    /// - Throws: `outOfMemory`, `stopped`.
    init(_ coefficients: JPEGCoefficients, _ rows: BlockRows) throws(CodecError) {
        self.coefficients = coefficients
        self.rows = rows
        masks = try coefficients.components.map { component throws(CodecError) in
            try CoefficientMasks(component.blocks, rows)
        }
    }

    /// The smallest script.
    ///
    /// - Parameter isProgressive: `nil` for whichever is smaller.
    func smallest(isProgressive: Bool?) throws(CodecError) -> ScanScript {
        switch isProgressive {
        case true?: return try progressive()
        case false?: return sequential()
        case nil:
            let (one, many) = (sequential(), try progressive())
            return one.byteCount <= many.byteCount ? one : many
        }
    }

    /// One scan of everything.
    func sequential() -> ScanScript {
        var tables: [(means: ScanCounts, frequencies: ScanCounts)] = []
        for (index, masks) in masks.enumerated() {
            let blocks = masks.blocks
            let counts = (
                interleavedMeans(index, lowBit: 0),
                ScanCounts.sequential(masks, emptyBlocks: interleavedCount(index) - blocks.count)
            )
            // Both colour differences share their tables.
            if index == 2 {
                tables[1] = (tables[1].means + counts.0, tables[1].frequencies + counts.1)
            } else {
                tables.append(counts)
            }
        }
        let sizes = tables.flatMap { [$0.means.size, $0.frequencies.size] }
        return ScanScript(scans: [], byteCount: byteCount(sizes, componentCount: masks.count))
    }

    /// Means first, then frequencies, then their lowest bits.
    func progressive() throws(CodecError) -> ScanScript {
        let means = smallestMeans()
        let frequencies = try bands()
        // Finer from scan to scan: what a reader has seen of an arriving file is the picture as a whole.
        let scans = frequencies.flatMap(\.scans).sorted { a, b in
            (-a.lowBit, a.highBit, a.coefficients.lowerBound > 1 ? 1 : 0, a.components[0])
                < (-b.lowBit, b.highBit, b.coefficients.lowerBound > 1 ? 1 : 0, b.components[0])
        }
        let first = scans.filter { $0.highBit == 0 }
        let later = scans.filter { $0.highBit > 0 }
        return ScanScript(
            scans: means.scans + first + later, byteCount: frequencies.reduce(means.byteCount) { $0 + $1.byteCount })
    }

    // MARK: Means

    private func smallestMeans() -> ScanScript {
        let candidates = (0...1).flatMap { lowBit in
            groupings.map { meansScript($0, lowBit: lowBit) }
        }
        return candidates.min { $0.byteCount < $1.byteCount } ?? ScanScript(scans: [], byteCount: 0)
    }

    /// Which components may share a scan.
    private var groupings: [[[Int]]] { masks.count == 1 ? [[[0]]] : [[[0, 1, 2]], [[0], [1, 2]], [[0], [1], [2]]] }

    private func meansScript(_ groups: [[Int]], lowBit: Int) -> ScanScript {
        var scans: [ScanScript.Scan] = []
        var bytes = 0
        for group in groups {
            let isInterleaved = group.count > 1
            let counts = group.map { index in
                isInterleaved && group.contains(0)
                    ? interleavedMeans(index, lowBit: lowBit)
                    : ScanCounts.means(masks[index].blocks, lowBit: lowBit)
            }
            // Both colour differences share a table.
            let tables =
                group.suffix(2) == [1, 2]
                ? counts.dropLast(2) + [counts[group.count - 2] + counts[group.count - 1]] : counts
            bytes += byteCount(tables.map(\.size), componentCount: group.count)
            scans.append(ScanScript.Scan(components: group, coefficients: 0...0, lowBit: lowBit))
        }
        for bit in (0..<lowBit).reversed() {
            // A bit a block, and no table.
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

    /// Groups of blocks across and down where all components share a scan (ITU-T T.81, A.2.3).
    private var groups: (across: Int, down: Int) {
        let (width, height) = (coefficients.size.width, coefficients.size.height)
        let (across, down) = (8 * coefficients.sampling.horizontal, 8 * coefficients.sampling.vertical)
        return ((width + across - 1) / across, (height + down - 1) / down)
    }

    private func factors(_ component: Int) -> (horizontal: Int, vertical: Int) {
        component == 0 ? coefficients.sampling : (1, 1)
    }

    /// A component's blocks where all components share a scan, those beyond the picture among them.
    private func interleavedCount(_ component: Int) -> Int {
        let factors = factors(component)
        return groups.across * groups.down * factors.horizontal * factors.vertical
    }

    private func interleavedMeans(_ component: Int, lowBit: Int) -> ScanCounts {
        ScanCounts.means(
            masks[component].blocks, lowBit: lowBit, groupedBy: factors(component), groups: groups)
    }

    // MARK: Frequencies

    /// For each component the best scans of its frequencies.
    private func bands() throws(CodecError) -> [ScanScript] {
        let cuts = Self.cuts
        let parts = cuts.indices.flatMap { end in (0..<end).map { (start: $0, end: end) } }
        let results = Results(count: masks.count * parts.count)
        try rows.forEach(results.count) { index in
            let part = parts[index % parts.count]
            results[index] = smallestBand(cuts[part.start]...(cuts[part.end] - 1), of: index / parts.count)
        }
        return masks.indices.map { component in
            let scripts = results.scripts(component * parts.count..<(component + 1) * parts.count)
            // The best scans of all frequencies before each cut.
            var best = [ScanScript(scans: [], byteCount: 0)]
            for end in cuts.indices.dropFirst() {
                let ways = zip(parts, scripts).filter { $0.0.end == end }.map { best[$0.0.start] + $0.1 }
                best.append(ways.min { $0.byteCount < $1.byteCount } ?? best[0])
            }
            return best[cuts.count - 1]
        }
    }

    /// A component's band, with as many of its lowest bits in scans of their own as pays.
    private func smallestBand(_ band: ClosedRange<Int>, of component: Int) -> ScanScript {
        let masks = masks[component]
        var refinements = ScanScript(scans: [], byteCount: 0)
        var best: ScanScript?
        for lowBit in 0..<CoefficientMasks.levels {
            let scan = ScanScript.Scan(components: [component], coefficients: band, lowBit: lowBit)
            let first = ScanScript(
                scans: [scan],
                byteCount: byteCount([ScanCounts.first(masks, band, lowBit: lowBit).size], componentCount: 1))
            let script = first + refinements
            if let best, best.byteCount * 33 / 32 < script.byteCount { break }
            if best.map({ script.byteCount < $0.byteCount }) ?? true { best = script }
            guard lowBit + 1 < CoefficientMasks.levels else { break }
            let size = ScanCounts.refinement(masks, band, lowBit: lowBit).size
            let refinement = ScanScript(
                scans: [
                    ScanScript.Scan(components: [component], coefficients: band, highBit: lowBit + 1, lowBit: lowBit)
                ], byteCount: byteCount([size], componentCount: 1))
            refinements = refinement + refinements
        }
        return best ?? refinements
    }

    /// A scan with its header and tables.
    private func byteCount(_ sizes: [(bits: Int, tableBytes: Int)], componentCount: Int) -> Int {
        let header = 2 + 2 + 1 + 2 * componentCount + 3
        return sizes.reduce(header) { $0 + $1.tableBytes } + (sizes.reduce(0) { $0 + $1.bits } + 7) / 8
    }

    /// What several threads find, each at a place of its own.
    private final class Results: Sendable {
        let count: Int
        private let found: Mutex<[ScanScript?]>

        init(count: Int) {
            self.count = count
            found = Mutex(Array(repeating: nil, count: count))
        }

        subscript(index: Int) -> ScanScript? {
            get { found.withLock { $0[index] } }
            set { found.withLock { $0[index] = newValue } }
        }

        func scripts(_ range: Range<Int>) -> [ScanScript] { found.withLock { $0[range].compactMap(\.self) } }
    }
}

extension ScanScript {
    fileprivate static func + (a: ScanScript, b: ScanScript) -> ScanScript {
        ScanScript(scans: a.scans + b.scans, byteCount: a.byteCount + b.byteCount)
    }
}
