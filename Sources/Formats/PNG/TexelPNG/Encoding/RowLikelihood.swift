import TexelCodecs

/// Estimates the bits of a row of bytes in a Huffman code that fits the preceding rows.
struct RowLikelihood {
    /// The weighted number of recent occurrences of each byte, never zero. Small differences are assumed to be frequent
    /// at first.
    private var counts = (0..<256).map { 1 + (1 << 14) / (1 + UInt32(Int8(truncatingIfNeeded: $0).magnitude)) }
    private var total: UInt32 = 0
    /// The cost of each byte in units of 1/256 bit.
    private var costs = [UInt32](repeating: 0, count: 256)

    /// The approximate number of bytes after which counts are halved, about the length of a deflate block.
    private static let memory: UInt32 = 1 << 15

    init() { fade() }

    func cost(of row: UnsafePointer<UInt8>, count: Int) -> Int {
        costs.withUnsafeBufferPointer { costs in
            var sum = 0
            for index in 0..<count { sum += Int(costs[Int(row[index])]) }
            return sum
        }
    }

    /// Calls `body` with the costs of the 256 bytes, in units of 1/256 bit.
    func withCosts<Value>(_ body: (UnsafePointer<UInt32>) -> Value) -> Value {
        costs.withUnsafeBufferPointer { costs in
            guard let base = costs.baseAddress else { preconditionFailure("the array has 256 elements") }
            return body(base)
        }
    }

    mutating func add(_ row: UnsafePointer<UInt8>, count: Int) {
        for index in 0..<count { counts[Int(row[index])] += 4 }
        fade()
    }

    private mutating func fade() {
        total = counts.reduce(0, +)
        while total > 4 * Self.memory {
            for value in 0..<256 { counts[value] = counts[value] / 2 + 1 }
            total = counts.reduce(0, +)
        }
        let whole = EntropyTable.logarithm(total)
        for value in 0..<256 { costs[value] = whole - EntropyTable.logarithm(counts[value]) }
    }
}
