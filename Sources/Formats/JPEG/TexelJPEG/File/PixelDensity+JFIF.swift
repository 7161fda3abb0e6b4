public import TexelCodecs

extension PixelDensity {
    /// Reads the density fields of a JFIF APP0 segment (ITU-T T.871, 10.1); `nil` for an unknown unit or a zero.
    public init?(jfifUnit: UInt8, x: UInt16, y: UInt16) {
        let unit: Unit
        switch jfifUnit {
        case 0: unit = .aspectRatio
        case 1: unit = .perInch
        case 2: unit = .perCentimetre
        default: return nil
        }
        self.init(horizontal: Rational(UInt32(x)), vertical: Rational(UInt32(y)), unit: unit)
    }

    /// The density fields for a JFIF APP0 segment, rounded to integers; `nil` if they do not fit in 16 bits.
    ///
    /// Dots per metre become dots per centimetre if that is exact, else dots per inch: 2,835 per metre is 72 dpi.
    public var jfif: (unit: UInt8, x: UInt16, y: UInt16)? {
        let inch = (code: UInt8(1), unit: Unit.perInch)
        let centimetre = (code: UInt8(2), unit: Unit.perCentimetre)
        let candidates: [(code: UInt8, unit: Unit)]
        switch unit {
        case .aspectRatio:
            let (x, y) = ratio(limit: UInt64(UInt16.max))
            return (0, UInt16(clamping: x), UInt16(clamping: y))
        case .perInch: candidates = [inch, centimetre]
        case .perCentimetre: candidates = [centimetre, inch]
        case .perMetre:
            let isExact = [horizontal, vertical].allSatisfy { $0.denominator == 1 && $0.numerator % 100 == 0 }
            candidates = isExact ? [centimetre, inch] : [inch, centimetre]
        }
        for candidate in candidates {
            if let x = UInt16(exactly: rounded(horizontal, in: candidate.unit)), x > 0,
                let y = UInt16(exactly: rounded(vertical, in: candidate.unit)), y > 0
            {
                return (candidate.code, x, y)
            }
        }
        return nil
    }
}
