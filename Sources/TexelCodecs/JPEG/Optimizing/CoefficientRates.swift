/// What runs of zeros and values cost in a picture's own code, as a first pass found it.
struct CoefficientRates: Sendable {
    /// Of each symbol, in bits: run × 16 + category, with the bits of the value itself.
    let symbols: [Float]
    /// The end of a block that has coefficients.
    let end: Float
    /// That of one without, which is one of many in a row.
    let emptyEnd: Float

    /// - Parameter emptyBlocks: how many of `blockCount` blocks have no coefficient.
    init(_ counts: [Int], emptyBlocks: Int, blockCount: Int) {
        let total = BinaryLogarithm.logarithm(Double(counts.reduce(0, +) + 40))
        func bits(_ symbol: Int) -> Double {
            // What was not seen may occur all the same.
            min(total - BinaryLogarithm.logarithm(Double(counts[symbol]) + 0.25), 16)
        }
        symbols = (0..<256).map { Float(bits($0) + Double($0 & 15)) }
        end = Float(bits(0))
        let share = Double(emptyBlocks + 1) / Double(blockCount + 2)
        emptyEnd = Float(min(bits(0), -BinaryLogarithm.logarithm(share)))
    }
}
