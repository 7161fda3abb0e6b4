import Synchronization

/// Quantises one component: each coefficient by itself, which tells what symbols cost in this picture, then whole blocks by
/// what errors and bits cost together.
struct ComponentQuantizer: Sendable {
    let frequencies: BlockPlane
    let isLuma: Bool
    let settings: QuantizationSettings.Component
    let rows: BlockRows

    /// - Throws: `outOfMemory`, `stopped`.
    func quantized() throws(CodecError) -> BlockPlane {
        let result = try BlockPlane(width: frequencies.width, height: frequencies.height)
        let counts = try roundEach(into: result)
        var weights: BlockWeights?
        if let strength = settings.weighting {
            weights = try BlockWeights(frequencies, result, settings.table, strength: strength, rows)
        }
        let trellis = TrellisQuantizer(settings.table, weights, CoefficientRates(counts), price: settings.price)
        let means = MeansTrellis(settings.table, counts.means, price: settings.price)
        let lastMeans = (0..<result.height).map { row in Int((result.row(row) + (result.width - 1) * 64).pointee) }
        try rows.forEach(result.height, isCounted: isLuma) { row in
            let (from, to) = (frequencies.row(row), result.row(row))
            trellis.quantize(from, into: to, count: result.width, first: row * result.width)
            means.quantize(from, into: to, count: result.width, before: row > 0 ? lastMeans[row - 1] : 0)
        }
        return result
    }

    /// Rounds each coefficient by itself, and counts what comes of it.
    private func roundEach(into result: BlockPlane) throws(CodecError) -> CoefficientCounts {
        // The two lowest frequencies of luma mostly come in scans of their own.
        let first = isLuma ? 3 : 1
        let total = Mutex(CoefficientCounts(first: first))
        let quantizer = PlainQuantizer(settings.table)
        try rows.forEach(result.height) { row in
            var counts = CoefficientCounts(first: first)
            let (from, to) = (frequencies.row(row), result.row(row))
            var before = 0
            for block in 0..<result.width {
                quantizer.quantize(from + block * 64, into: to + block * 64)
                counts.add(to + block * 64, before: before)
                before = Int(to[block * 64])
            }
            total.withLock { $0.add(counts) }
        }
        return total.withLock { $0 }
    }
}
