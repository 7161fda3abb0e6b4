/// How many bits a row of bytes takes by a code that fits the rows before it.
struct RowLikelihood {
    /// How often each byte occurred lately; never zero. At first small differences are likely.
    private var counts = (0..<256).map { 1 + (1 << 14) / (1 + UInt32(Int8(truncatingIfNeeded: $0).magnitude)) }
    private var total: UInt32 = 0
    /// Bits of each byte in 1/256.
    private var costs = [UInt32](repeating: 0, count: 256)

    /// What is older than about so many bytes fades: a deflate block ends about there.
    private static let memory: UInt32 = 1 << 15

    init() { fade() }

    func cost(of row: UnsafePointer<UInt8>, count: Int) -> Int {
        costs.withUnsafeBufferPointer { costs in
            var sum = 0
            for index in 0..<count { sum += Int(costs[Int(row[index])]) }
            return sum
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
