public import TexelCodecs

extension PixelDensity {
    /// Reads a pHYs chunk (PNG specification, third edition, 11.3.4.3); `nil` for an unknown unit or a zero.
    public init?(pHYsUnit: UInt8, x: UInt32, y: UInt32) {
        guard pHYsUnit <= 1 else { return nil }
        self.init(horizontal: Rational(x), vertical: Rational(y), unit: pHYsUnit == 1 ? .perMetre : .aspectRatio)
    }

    /// The fields for a pHYs chunk, rounded to integers: 72 dpi is 2,835 per metre. `nil` if they do not fit in PNG's
    /// 31 bits.
    public var pHYs: (unit: UInt8, x: UInt32, y: UInt32)? {
        let limit = UInt64(Int32.max)
        guard unit != .aspectRatio else {
            let (x, y) = ratio(limit: limit)
            return (0, UInt32(clamping: x), UInt32(clamping: y))
        }
        let x = rounded(horizontal, in: .perMetre)
        let y = rounded(vertical, in: .perMetre)
        guard (1...limit).contains(x), (1...limit).contains(y) else { return nil }
        return (1, UInt32(clamping: x), UInt32(clamping: y))
    }
}
