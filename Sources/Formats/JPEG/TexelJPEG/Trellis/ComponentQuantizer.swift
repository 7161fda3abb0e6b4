import CPixelKernels
import Synchronization
import TexelCodecs
import TexelCore

/// Quantises one component in two passes. The first rounds each coefficient and counts the symbols, to estimate their
/// cost in bits. The second minimises the weighted sum of errors and bits for each block.
struct ComponentQuantizer: Sendable {
    let isLuma: Bool
    let settings: QuantizationSettings.Component
    let rows: BlockRows

    /// Replaces unquantised coefficients by quantised ones in place.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    func quantize(_ blocks: BlockPlane) throws(TexelError) {
        let plain = RoundingQuantizer(settings.table)
        let counts = try counts(of: blocks, plain)
        var weights: BlockWeights?
        if let strength = settings.weighting {
            weights = try BlockWeights(blocks, plain, settings.table, strength: strength, rows)
        }
        let trellis = TrellisQuantizer(settings.table, weights, CoefficientRates(counts), price: settings.price)
        let means = DCTrellisQuantizer(settings.table, counts.means, price: settings.price)
        // DC prediction in a row starts from the rounded value at the end of the row above, not from its final value,
        // so that rows can be processed in parallel.
        let lastMeans = (0..<blocks.height).map { row in
            plain.withRounded(blocks.row(row) + (blocks.width - 1) * 64) { Int($0[0]) }
        }
        try rows.forEach(blocks.height, isCounted: isLuma) { row in
            let words = blocks.row(row)
            trellis.quantize(words, count: blocks.width, first: row * blocks.width)
            means.quantize(words, count: blocks.width, before: row > 0 ? lastMeans[row - 1] : 0)
        }
    }

    /// Counts the symbols after rounding each coefficient.
    func counts(of blocks: BlockPlane, _ plain: RoundingQuantizer) throws(TexelError) -> CoefficientCounts {
        // The two lowest AC coefficients of luma usually have scans of their own.
        let first = isLuma ? 3 : 1
        let total = Mutex(CoefficientCounts(first: first))
        let masks = texel_kernels_in_use().pointee.trellis.coefficient_masks
        try rows.forEach(blocks.height) { row in
            var counts = CoefficientCounts(first: first)
            var before = 0
            for block in 0..<blocks.width {
                plain.withRounded(blocks.row(row) + block * 64) { rounded in
                    var nonzero = InlineArray<4, UInt64>(repeating: 0)
                    withUnsafeMutablePointer(to: &nonzero) { pointer in
                        // The kernel writes four masks.
                        masks(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UInt64.self), rounded)
                    }
                    counts.add(rounded, nonzero: nonzero[0], before: before)
                    before = Int(rounded[0])
                }
            }
            total.withLock { $0.add(counts) }
        }
        return total.withLock { $0 }
    }
}
