import TexelCodecs

/// The bits of HEVC NAL units (ITU-T H.265, 7.2 and 9.2).
extension BitReader {
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
        self.init(bytes[...])
    }

    /// Reads an unsigned number in Exp-Golomb code: ue(v), and the code of se(v).
    mutating func golomb() -> Int {
        var zeros = 0
        while !isExhausted, zeros < 32, !flag() { zeros += 1 }
        return (1 << zeros) - 1 + number(zeros)
    }
}
