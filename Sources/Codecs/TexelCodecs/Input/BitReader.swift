/// Reads numbers of bits, from the highest bit of each byte; zeros after the end.
package struct BitReader {
    private var bytes: ArraySlice<UInt8>
    /// How many bits of the first byte were read.
    private var bit = 0
    /// Whether bits after the end were read.
    package private(set) var isExhausted = false

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Reads a number of `count` bits, at most 32.
    package mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let byte = bytes.first else {
                isExhausted = true
                return value
            }
            value = value << 1 | Int(byte >> (7 - bit) & 1)
            bit += 1
            if bit == 8 {
                bytes.removeFirst()
                bit = 0
            }
        }
        return value
    }

    package mutating func flag() -> Bool { number(1) == 1 }

    /// Skips `count` bits, whatever their number.
    package mutating func skip(_ count: Int) {
        for _ in 0..<max(0, count) where !isExhausted { _ = number(1) }
    }
}
