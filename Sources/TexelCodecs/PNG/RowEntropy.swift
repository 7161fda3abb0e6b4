/// Measures of how well a row of bytes may deflate, in integers: the same on every processor. Smaller is better.
struct RowEntropy: ~Copyable {
    /// How often each pair of bytes occurs; all zero between calls. Single bytes use the first of them.
    private let counts: UnsafeMutablePointer<UInt32>
    /// - Parameter countsPairs: false where only `ofBytes` is asked for.
    init(countsPairs: Bool = true) {
        let count = countsPairs ? 1 << 16 : 1 << 8
        counts = .allocate(capacity: count)
        counts.initialize(repeating: 0, count: count)
    }

    deinit { counts.deallocate() }

    /// The entropy of a row's bytes, but for a constant of rows of this length.
    func ofBytes(_ row: UnsafePointer<UInt8>, count: Int) -> Int {
        for index in 0..<count { counts[Int(row[index])] += 1 }
        var sum = 0
        for value in 0..<256 {
            sum += EntropyTable.shared.term(counts[value])
            counts[value] = 0
        }
        return -sum
    }

    /// The entropy of pairs of neighbouring bytes, but for such a constant.
    func ofPairs(_ row: UnsafePointer<UInt8>, count: Int) -> Int {
        countPairs(row, count)
        var (sum, pair) = (0, Int(row[0]))
        for index in 1..<max(1, count) {
            pair = (pair << 8 | Int(row[index])) & 0xFFFF
            // The second time it is zero, and so is its term.
            sum += EntropyTable.shared.term(counts[pair])
            counts[pair] = 0
        }
        return -sum
    }

    /// How many different pairs of neighbouring bytes there are.
    func differentPairs(_ row: UnsafePointer<UInt8>, count: Int) -> Int {
        countPairs(row, count)
        var (different, pair) = (0, Int(row[0]))
        for index in 1..<max(1, count) {
            pair = (pair << 8 | Int(row[index])) & 0xFFFF
            different += counts[pair] > 0 ? 1 : 0
            counts[pair] = 0
        }
        return different
    }

    private func countPairs(_ row: UnsafePointer<UInt8>, _ count: Int) {
        var pair = Int(row[0])
        for index in 1..<max(1, count) {
            pair = (pair << 8 | Int(row[index])) & 0xFFFF
            counts[pair] += 1
        }
    }
}

/// n × log₂ n in 1/65,536, which an entropy is made of.
struct EntropyTable: Sendable {
    static let shared = EntropyTable()

    private let terms = (0..<4096).map { Self.computed(UInt32($0)) }

    func term(_ count: UInt32) -> Int { count < 4096 ? terms[Int(count)] : Self.computed(count) }

    private static func computed(_ count: UInt32) -> Int {
        count > 1 ? Int(UInt64(count) * digits(count, 16)) : 0
    }

    /// log₂ in 1/256, of a positive number.
    static func logarithm(_ count: UInt32) -> UInt32 { UInt32(digits(count, 8)) }

    /// log₂ with so many binary digits behind the point, which come from squaring, one after the other.
    private static func digits(_ count: UInt32, _ digits: Int) -> UInt64 {
        let whole = 31 - count.leadingZeroBitCount
        // 1…2 in 1/2³¹.
        var value = UInt64(count) << UInt64(31 - whole)
        var logarithm = UInt64(whole)
        for _ in 0..<digits {
            value = (value * value) >> 31
            logarithm <<= 1
            if value >= 1 << 32 {
                value >>= 1
                logarithm += 1
            }
        }
        return logarithm
    }
}
