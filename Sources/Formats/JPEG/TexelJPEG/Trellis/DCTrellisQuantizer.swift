import CPixelKernels
import TexelCodecs

/// Quantises the DC coefficients of a row of blocks. Chooses among the nearest value and its two neighbours to minimise
/// the weighted sum of squared errors and of the bits of the differences (Viterbi algorithm).
struct DCTrellisQuantizer: Sendable {
    /// The bits of each difference category, including the bits of the value.
    private let rates: [Float]
    private let inverse: Float
    /// The cost in bits of a squared error of one step.
    private let perSquare: Float

    /// - Parameters:
    ///   - counts: the number of occurrences of each difference category.
    ///   - price: the cost of a bit, as a squared error in steps.
    init(_ table: QuantizationTable, _ counts: [Int], price: Float) {
        rates = CoefficientRates.categories(counts)
        inverse = 1 / Float(Int(table.steps[0]) * ForwardTransform.scale)
        perSquare = 1 / price
    }

    /// Quantises the DC coefficients of a row of blocks in place.
    ///
    /// - Parameter before: the quantised DC coefficient from which the first one is predicted.
    func quantize(_ blocks: UnsafeMutablePointer<Int16>, count: Int, before: Int) {
        let kernel = texel_kernels_in_use().pointee.trellis.trellis_means
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count) { previous in
            rates.withUnsafeBufferPointer { rates in
                // There are three bytes for each block, and rates of all categories.
                guard let previous = previous.baseAddress, let rates = rates.baseAddress else { return }
                var trellis = texel_mean_trellis(inverse: inverse, per_square: perSquare, rates: rates)
                kernel(blocks, count, previous, Int32(before), &trellis)
            }
        }
    }
}
