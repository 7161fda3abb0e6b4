/// Reads the bits of an HEVC NAL unit, from the highest of each byte (ITU-T H.265, 7.2 and 9.2); zeros after the end.
struct HEVCBits {
    private let bytes: [UInt8]
    private var byte = 0
    private var bit = 0
    /// Whether bits after the end were read.
    private(set) var isExhausted = false

    /// - Parameter unit: a NAL unit; the bytes that prevent the emulation of start codes are left out (7.3.1.1).
    init(unit: some Sequence<UInt8>) {
        var bytes: [UInt8] = []
        var zeros = 0
        for value in unit {
            if zeros >= 2, value == 3 {
                zeros = 0
                continue
            }
            zeros = value == 0 ? zeros + 1 : 0
            bytes.append(value)
        }
        self.bytes = bytes
    }

    /// Reads a number of `count` bits, at most 32.
    mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            guard byte < bytes.count else {
                isExhausted = true
                return value
            }
            value = value << 1 | Int(bytes[byte] >> (7 - bit) & 1)
            bit += 1
            if bit == 8 { (byte, bit) = (byte + 1, 0) }
        }
        return value
    }

    mutating func flag() -> Bool { number(1) == 1 }

    /// Reads an unsigned number in Exp-Golomb code: ue(v), and the code of se(v).
    mutating func golomb() -> Int {
        var zeros = 0
        while !isExhausted, zeros < 32, !flag() { zeros += 1 }
        return (1 << zeros) - 1 + number(zeros)
    }

    /// Skips `count` bits, whatever their number.
    mutating func skip(_ count: Int) {
        for _ in 0..<max(0, count) where !isExhausted { _ = number(1) }
    }
}
