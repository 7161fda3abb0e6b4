import TexelCodecs

/// Estimates how well a row of bytes deflates, in integers, so that results are equal on every processor. Smaller is
/// better.
struct RowEntropy: ~Copyable {
    /// The number of occurrences of each pair of bytes, all zero between calls. Single bytes use the first 256.
    private let counts: UnsafeMutablePointer<UInt32>
    /// - Parameter countsPairs: false if only `ofBytes` will be called.
    init(countsPairs: Bool = true) {
        let count = countsPairs ? 1 << 16 : 1 << 8
        counts = .allocate(capacity: count)
        counts.initialize(repeating: 0, count: count)
    }

    deinit { counts.deallocate() }

    /// Returns the entropy of the bytes of a row, plus a constant that depends only on `count`.
    func ofBytes(_ row: UnsafePointer<UInt8>, count: Int) -> Int {
        for index in 0..<count { counts[Int(row[index])] += 1 }
        var sum = 0
        for value in 0..<256 {
            sum += EntropyTable.shared.term(counts[value])
            counts[value] = 0
        }
        return -sum
    }

    /// Returns the entropy of the pairs of adjacent bytes, plus a constant that depends only on `count`.
    func ofPairs(_ row: UnsafePointer<UInt8>, count: Int) -> Int {
        countPairs(row, count)
        var (sum, pair) = (0, Int(row[0]))
        for index in 1..<max(1, count) {
            pair = (pair << 8 | Int(row[index])) & 0xFFFF
            // The count is cleared at its first use, so repeated pairs add zero.
            sum += EntropyTable.shared.term(counts[pair])
            counts[pair] = 0
        }
        return -sum
    }

    /// Returns the number of different pairs of adjacent bytes.
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

/// The values n × log₂ n in units of 1/65,536, the terms of an entropy.
struct EntropyTable: Sendable {
    static let shared = EntropyTable()

    private let terms = (0..<4096).map { Self.computed(UInt32($0)) }

    func term(_ count: UInt32) -> Int { count < 4096 ? terms[Int(count)] : Self.computed(count) }

    private static func computed(_ count: UInt32) -> Int {
        count > 1 ? Int(UInt64(count) * digits(count, 16)) : 0
    }

    /// Returns the binary logarithm of a positive number, in units of 1/256.
    static func logarithm(_ count: UInt32) -> UInt32 { UInt32(digits(count, 8)) }

    /// Returns the binary logarithm with the given number of fraction bits, which are computed by repeated squaring.
    private static func digits(_ count: UInt32, _ digits: Int) -> UInt64 {
        let whole = 31 - count.leadingZeroBitCount
        // The significand, 1…2, in units of 1/2³¹.
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
