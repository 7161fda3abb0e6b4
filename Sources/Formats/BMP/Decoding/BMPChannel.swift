/// One channel in the bits of a mask.
struct BMPChannel: Sendable {
    private let mask: UInt32
    private let shift: UInt32
    private let maximum: UInt64
    /// The value of each sample of at most eight bits.
    private let table: [UInt8]
    /// The value without a mask.
    private let absent: UInt8

    /// - Parameters:
    ///   - mask: one run of bits, or 0.
    ///   - absent: the value of every sample if the mask is 0.
    init(_ mask: UInt32, absent: UInt8) {
        (self.mask, self.absent) = (mask, absent)
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        let maximum = UInt64(mask >> shift)
        self.maximum = maximum
        table = (1...255).contains(maximum) ? (0...maximum).map { Self.scaled($0, maximum) } : []
    }

    /// The value of the channel in a pixel, scaled to 0…255 and rounded to nearest.
    func value(_ pixel: UInt32) -> UInt32 {
        let sample = (pixel & mask) >> shift
        if !table.isEmpty { return UInt32(table[Int(sample)]) }
        return UInt32(maximum == 0 ? absent : Self.scaled(UInt64(sample), maximum))
    }

    /// A sample of at most 32 bits, so the product does not overflow.
    private static func scaled(_ sample: UInt64, _ maximum: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: (sample * 255 + maximum / 2) / maximum)
    }
}
