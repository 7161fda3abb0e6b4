import CPixelKernels
import TexelCodecs

/// Quantises a block's AC coefficients to minimise the weighted sum of squared errors and bits. Each coefficient
/// becomes the nearest value, the next smaller one, or zero; the best path in zigzag order is chosen.
///
/// After Crouse and Ramchandran, "Joint thresholding and quantizer selection for transform image coding", IEEE
/// Transactions on Image Processing 6 (1997).
struct TrellisQuantizer: Sendable {
    private let rates: CoefficientRates
    /// The inverse steps in zigzag order, in the scale of the forward transform.
    private let inverses: [Float]
    /// The weights of errors; `nil` if all are equal.
    private let weights: BlockWeights?
    private let uniform = [Float](repeating: 1, count: 64)
    /// The cost in bits of a squared error of one step.
    private let perSquare: Float

    /// - Parameter price: the cost of a bit, as a squared error in steps.
    init(_ table: QuantizationTable, _ weights: BlockWeights?, _ rates: CoefficientRates, price: Float) {
        self.rates = rates
        self.weights = weights
        inverses = Zigzag.places.map { 1 / Float(Int(table.steps[$0]) * ForwardTransform.scale) }
        perSquare = 1 / price
    }

    /// Quantises a row of blocks in place, except their DC coefficients.
    ///
    /// - Parameter first: the index of the row's first block in the component.
    func quantize(_ blocks: UnsafeMutablePointer<Int16>, count: Int, first: Int) {
        let kernel = texel_kernels_in_use().pointee.trellis.trellis_row
        withTrellis { trellis in
            guard let weights else { return kernel(blocks, count, nil, trellis) }
            weights.factors.withUnsafeBufferPointer { factors in
                // There are two factors for each block of the component.
                if let base = factors.baseAddress { kernel(blocks, count, base + 2 * first, trellis) }
            }
        }
    }

    /// Calls `body` with the kernel's parameters.
    private func withTrellis(_ body: (UnsafePointer<texel_trellis>) -> Void) {
        inverses.withUnsafeBufferPointer { inverses in
            (weights?.fine ?? uniform).withUnsafeBufferPointer { fine in
                (weights?.coarse ?? uniform).withUnsafeBufferPointer { coarse in
                    rates.symbols.withUnsafeBufferPointer { symbols in
                        rates.least.withUnsafeBufferPointer { least in
                            rates.alone.withUnsafeBufferPointer { alone in
                                // No array is empty, and all have the sizes that `texel_trellis` requires.
                                guard let inverses = inverses.baseAddress, let fine = fine.baseAddress,
                                    let coarse = coarse.baseAddress, let symbols = symbols.baseAddress,
                                    let least = least.baseAddress, let alone = alone.baseAddress
                                else { return }
                                var trellis = texel_trellis(
                                    inverses: inverses, fine: fine, coarse: coarse, per_square: perSquare,
                                    first: Int32(rates.first), symbols: symbols, least_rates: least, end: rates.end,
                                    empty_end: rates.emptyEnd, alone: alone)
                                body(&trellis)
                            }
                        }
                    }
                }
            }
        }
    }
}
