import TexelCodecs

/// Quantises the DC coefficients of a row of blocks. Chooses among the nearest value and its two neighbours to minimise
/// the weighted sum of squared errors and of the bits of the differences (Viterbi algorithm).
struct DCTrellisQuantizer: Sendable {
    private static let choices = 3
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
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.choices * count) { previous in
            rates.withUnsafeBufferPointer { rates in
                // Both buffers cover the indices of the loops.
                guard let previous = previous.baseAddress, let rates = rates.baseAddress else { return }
                var costs = SIMD3<Float>(repeating: 0)
                var last = SIMD3<Int>(repeating: before)
                for block in 0..<count {
                    let mean = Float(blocks[block * 64]) * inverse
                    let nearest = Self.nearest(mean)
                    var (next, values) = (SIMD3<Float>(), SIMD3<Int>())
                    for choice in 0..<Self.choices {
                        let value = Self.value(nearest, choice)
                        var (best, from) = (Float.infinity, 0)
                        for other in 0..<(block == 0 ? 1 : Self.choices) {
                            let difference = (value - last[other]).magnitude
                            let category = Int.bitWidth - difference.leadingZeroBitCount
                            let cost = costs[other] + rates[category]
                            if cost < best { (best, from) = (cost, other) }
                        }
                        let error = mean - Float(value)
                        next[choice] = best + error * error * perSquare
                        values[choice] = value
                        previous[Self.choices * block + choice] = UInt8(from)
                    }
                    (costs, last) = (next, values)
                }
                var choice = (0..<Self.choices).min { costs[$0] < costs[$1] } ?? 0
                for block in (0..<count).reversed() {
                    let nearest = Self.nearest(Float(blocks[block * 64]) * inverse)
                    blocks[block * 64] = Int16(Self.value(nearest, choice))
                    choice = Int(previous[Self.choices * block + choice])
                }
            }
        }
    }

    private static func nearest(_ mean: Float) -> Int { Int((mean + 0.5).rounded(.down)) }

    private static func value(_ nearest: Int, _ choice: Int) -> Int {
        min(max(nearest + choice - 1, -RoundingQuantizer.largest), RoundingQuantizer.largest)
    }
}
