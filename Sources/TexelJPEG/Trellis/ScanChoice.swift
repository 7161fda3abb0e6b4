import TexelCodecs
import Synchronization

/// Finds the scan script that makes the file smallest. The sizes of scans are counted; nothing is encoded.
struct ScanChoice {
    private let coefficients: JPEGCoefficients
    private let masks: [CoefficientMasks]
    private let rows: BlockRows

    /// The first AC coefficients of the bands into which the spectrum may be divided.
    private static let cuts = [1, 2, 3, 6, 9, 64]

    /// - Throws: `outOfMemory`, `stopped`.
    init(_ coefficients: JPEGCoefficients, _ rows: BlockRows) throws(CodecError) {
        self.coefficients = coefficients
        self.rows = rows
        masks = try coefficients.components.map { component throws(CodecError) in
            try CoefficientMasks(component.blocks, rows)
        }
    }

    /// Returns the smallest script.
    ///
    /// - Parameter isProgressive: `nil` for the smaller of the two.
    func smallest(isProgressive: Bool?) throws(CodecError) -> ScanScript {
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
        var tables: [(means: ScanCounts, frequencies: ScanCounts)] = []
        for (index, masks) in masks.enumerated() {
            let blocks = masks.blocks
            let counts = (
                interleavedMeans(index, lowBit: 0),
                ScanCounts.sequential(masks, emptyBlocks: interleavedCount(index) - blocks.count)
            )
            // Both chroma components share their tables.
            if index == 2 {
                tables[1] = (tables[1].means + counts.0, tables[1].frequencies + counts.1)
            } else {
                tables.append(counts)
            }
        }
        let sizes = tables.flatMap { [$0.means.size, $0.frequencies.size] }
        return ScanScript(scans: [], byteCount: byteCount(sizes, componentCount: masks.count))
    }

    /// Returns the smallest progressive script: DC scans, first scans of AC bands, then refinements.
    func progressive() throws(CodecError) -> ScanScript {
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
                isInterleaved && group.contains(0)
                    ? interleavedMeans(index, lowBit: lowBit)
                    : ScanCounts.means(masks[index].blocks, lowBit: lowBit)
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
    private var groups: (across: Int, down: Int) {
        let (width, height) = (coefficients.size.width, coefficients.size.height)
        let (across, down) = (8 * coefficients.sampling.horizontal, 8 * coefficients.sampling.vertical)
        return ((width + across - 1) / across, (height + down - 1) / down)
    }

    private func factors(_ component: Int) -> (horizontal: Int, vertical: Int) {
        component == 0 ? coefficients.sampling : (1, 1)
    }

    /// Returns a component's number of blocks in an interleaved scan, including those outside the image.
    private func interleavedCount(_ component: Int) -> Int {
        let factors = factors(component)
        return groups.across * groups.down * factors.horizontal * factors.vertical
    }

    private func interleavedMeans(_ component: Int, lowBit: Int) -> ScanCounts {
        ScanCounts.means(
            masks[component].blocks, lowBit: lowBit, groupedBy: factors(component), groups: groups)
    }

    // MARK: AC coefficients

    /// Returns the smallest AC scans of each component: every band is measured, then dynamic programming finds the best
    /// division.
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
            // `best[end]` has the smallest scans of all coefficients before that cut.
            var best = [ScanScript(scans: [], byteCount: 0)]
            for end in cuts.indices.dropFirst() {
                let ways = zip(parts, scripts).filter { $0.0.end == end }.map { best[$0.0.start] + $0.1 }
                best.append(ways.min { $0.byteCount < $1.byteCount } ?? best[0])
            }
            return best[cuts.count - 1]
        }
    }

    /// Returns the smallest scans of one band, with as many refinement scans (successive approximation) as save bytes.
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

    /// Returns the size of a scan with its header and Huffman tables, in bytes.
    private func byteCount(_ sizes: [(bits: Int, tableBytes: Int)], componentCount: Int) -> Int {
        let header = 2 + 2 + 1 + 2 * componentCount + 3
        return sizes.reduce(header) { $0 + $1.tableBytes } + (sizes.reduce(0) { $0 + $1.bits } + 7) / 8
    }

    /// The results of several threads, each at an index of its own.
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
