import Synchronization

/// Quantises one component: each coefficient by itself, which tells what symbols cost in this picture, then whole blocks by
/// what errors and bits cost together.
struct ComponentQuantizer: Sendable {
    let frequencies: BlockPlane
    let settings: QuantizationSettings.Component
    let rows: BlockRows

    /// - Throws: `outOfMemory`, `stopped`.
    func quantized() throws(CodecError) -> BlockPlane {
        let source = frequencies
        let result = try BlockPlane(width: source.width, height: source.height)
        let counts = try roundEach(into: result)
        let rates = CoefficientRates(counts.symbols, emptyBlocks: counts.emptyBlocks, blockCount: result.count)
        let trellis = TrellisQuantizer(settings.table, weights: settings.weights, rates)
        let means = MeansTrellis(settings.table, counts.means, price: settings.meansPrice)
        let lastMeans = (0..<result.height).map { row in Int((result.row(row) + (result.width - 1) * 64).pointee) }
        try rows.forEach(result.height) { row in
            let (from, to) = (source.row(row), result.row(row))
            trellis.quantize(from, into: to, count: result.width) { _ in settings.price }
            means.quantize(from, into: to, count: result.width, before: row > 0 ? lastMeans[row - 1] : 0)
        }
        return result
    }

    private struct Counts: Sendable {
        var symbols = [Int](repeating: 0, count: 256)
        var means = [Int](repeating: 0, count: 12)
        var emptyBlocks = 0

        mutating func add(_ other: Counts) {
            for index in symbols.indices { symbols[index] += other.symbols[index] }
            for index in means.indices { means[index] += other.means[index] }
            emptyBlocks += other.emptyBlocks
        }

        /// - Parameter before: the mean of the block before.
        mutating func add(_ block: UnsafePointer<Int16>, before: Int) {
            means[Self.category(Int(block[0]) - before)] += 1
            let places = ZigzagPlaces.bytes
            var last = 0
            for k in 1..<64 {
                let value = Int(block[Int(places[k])])
                if value == 0 { continue }
                let run = k - last - 1
                symbols[0xF0] += run >> 4
                symbols[(run & 15) << 4 | Self.category(value)] += 1
                last = k
            }
            if last < 63 { symbols[0] += 1 }
            if last == 0 { emptyBlocks += 1 }
        }

        private static func category(_ value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }
    }

    /// Rounds each coefficient by itself, and counts what comes of it.
    private func roundEach(into result: BlockPlane) throws(CodecError) -> Counts {
        let total = Mutex(Counts())
        let quantizer = PlainQuantizer(settings.table)
        let source = frequencies
        try rows.forEach(result.height) { row in
            var counts = Counts()
            let (from, to) = (source.row(row), result.row(row))
            var before = 0
            for block in 0..<result.width {
                quantizer.quantize(from + block * 64, into: to + block * 64, rounding: settings.rounding)
                counts.add(to + block * 64, before: before)
                before = Int(to[block * 64])
            }
            total.withLock { $0.add(counts) }
        }
        return total.withLock { $0 }
    }
}
