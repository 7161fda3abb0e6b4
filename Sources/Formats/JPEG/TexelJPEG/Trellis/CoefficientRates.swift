import TexelCodecs

/// The cost in bits of runs and values in the image's own Huffman code, estimated from a first pass.
struct CoefficientRates: Sendable {
    /// The first AC coefficient that is coded in runs; those before it have scans of their own.
    let first: Int
    /// The cost of each symbol (run × 16 + category), including the bits of the value.
    let symbols: [Float]
    /// For each category, the least cost of the symbols that have it or the category below.
    let least: [Float]
    /// The cost of the end of a block that has nonzero coefficients.
    let end: Float
    /// The cost of the end of a block without nonzero coefficients, which is usually part of a run.
    let emptyEnd: Float
    /// The cost of each category for each coefficient before `first`, including the bits of the value; at least those
    /// of one coefficient.
    let alone: [Float]

    init(_ counts: CoefficientCounts) {
        first = counts.first
        let total = BinaryLogarithm.logarithm(Double(counts.symbols.reduce(0, +) + 40))
        func bits(_ symbol: Int) -> Double {
            // A symbol that was not seen may still occur in the second pass.
            min(total - BinaryLogarithm.logarithm(Double(counts.symbols[symbol]) + 0.25), 16)
        }
        let symbols = (0..<256).map { Float(bits($0) + Double($0 & 15)) }
        self.symbols = symbols
        least = (0..<CoefficientCounts.categoryCount).map { category in
            (0..<256).filter { max(category - 1, 0)...category ~= $0 & 15 }.reduce(.infinity) { min($0, symbols[$1]) }
        }
        end = Float(bits(0))
        let share = Double(counts.emptyBlocks + 1) / Double(counts.blocks + 2)
        emptyEnd = Float(min(bits(0), -BinaryLogarithm.logarithm(share)))
        let alone = counts.alone.flatMap { Self.categories($0) }
        self.alone = alone.isEmpty ? [Float](repeating: 0, count: CoefficientCounts.categoryCount) : alone
    }

    /// Returns the cost of each category, including the bits of the value.
    static func categories(_ counts: [Int]) -> [Float] {
        let total = BinaryLogarithm.logarithm(Double(counts.reduce(0, +) + 6))
        return counts.indices.map { Float(total - BinaryLogarithm.logarithm(Double(counts[$0]) + 0.5)) + Float($0) }
    }
}

/// The numbers of occurrences of symbols in a component.
struct CoefficientCounts: Sendable {
    /// The first AC coefficient that is coded in runs.
    let first: Int
    /// The symbols of runs and categories.
    var symbols = [Int](repeating: 0, count: 256)
    /// The categories of the coefficients before `first`, and those of DC differences.
    var alone: [[Int]]
    var means = [Int](repeating: 0, count: categoryCount)
    var blocks = 0
    /// The number of blocks without a nonzero coefficient from `first` on.
    var emptyBlocks = 0

    static let categoryCount = 12

    init(first: Int) {
        self.first = first
        alone = Array(repeating: Array(repeating: 0, count: Self.categoryCount), count: first - 1)
    }

    /// The entropy of all symbols, and the bits of the values.
    var bits: Double {
        func bits(_ counts: [Int], _ category: (Int) -> Int) -> Double {
            let total = BinaryLogarithm.logarithm(Double(max(counts.reduce(0, +), 1)))
            return counts.indices.reduce(0.0) { sum, index in
                guard counts[index] > 0 else { return sum }
                let count = Double(counts[index])
                return sum + count * (total - BinaryLogarithm.logarithm(count) + Double(category(index)))
            }
        }
        return alone.reduce(bits(symbols) { $0 & 15 } + bits(means) { $0 }) { $0 + bits($1) { $0 } }
    }

    /// Adds the counts of another part of the component.
    mutating func add(_ other: CoefficientCounts) {
        for index in symbols.indices { symbols[index] += other.symbols[index] }
        for index in means.indices { means[index] += other.means[index] }
        for place in alone.indices {
            for index in means.indices { alone[place][index] += other.alone[place][index] }
        }
        blocks += other.blocks
        emptyBlocks += other.emptyBlocks
    }

    /// Adds the symbols of a block.
    ///
    /// - Parameters:
    ///   - nonzero: a bit for each AC coefficient that is not zero, in zigzag order.
    ///   - before: the DC coefficient of the previous block.
    mutating func add(_ block: UnsafePointer<Int16>, nonzero: UInt64, before: Int) {
        // A block has 64 words.
        means[Self.category(Int(block[0]) - before)] += 1
        let places = ZigzagPlaces.bytes
        for k in 1..<first { alone[k - 1][Self.category(Int(block[Int(places[k])]))] += 1 }
        var rest = nonzero & (.max << UInt64(first))
        if rest == 0 { emptyBlocks += 1 }
        symbols.withUnsafeMutableBufferPointer { symbols in
            // The coefficients are at most 1,023, so that there are eleven categories.
            var last = first - 1
            while rest != 0 {
                let k = rest.trailingZeroBitCount
                let run = k - last - 1
                symbols[0xF0] += run >> 4
                symbols[(run & 15) << 4 | Self.category(Int(block[Int(places[k])]))] += 1
                last = k
                rest &= rest - 1
            }
            if last < 63 { symbols[0] += 1 }
        }
        blocks += 1
    }

    private static func category(_ value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }
}
