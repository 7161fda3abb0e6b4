/// The density at which pixels are to be printed or shown, exactly as stored in a file.
public struct PixelDensity: Sendable, Hashable, Codable {
    /// The unit of length.
    public enum Unit: Sendable, Hashable, Codable {
        /// Pixels per inch.
        case perInch
        /// Pixels per centimetre.
        case perCentimetre
        /// Pixels per metre, PNG's unit.
        case perMetre
        /// No unit: only the ratio of the two numbers has a meaning.
        case aspectRatio
    }

    /// The horizontal density, in pixels per unit.
    public let horizontal: Rational
    /// The vertical density, in pixels per unit.
    public let vertical: Rational
    /// The unit of both densities.
    public let unit: Unit

    /// Creates a density; `nil` unless both numbers are greater than zero.
    public init?(horizontal: Rational, vertical: Rational, unit: Unit) {
        guard horizontal.isPositive, vertical.isPositive else { return nil }
        self.horizontal = horizontal
        self.vertical = vertical
        self.unit = unit
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let density = PixelDensity(
            horizontal: try container.decode(Rational.self, forKey: .horizontal),
            vertical: try container.decode(Rational.self, forKey: .vertical),
            unit: try container.decode(Unit.self, forKey: .unit))
        guard let density else {
            throw DecodingError.dataCorruptedError(forKey: .horizontal, in: container, debugDescription: "not positive")
        }
        self = density
    }

    private init(swapping other: PixelDensity) {
        self.horizontal = other.vertical
        self.vertical = other.horizontal
        self.unit = other.unit
    }

    /// The density after the image has been transposed.
    public var transposed: PixelDensity { PixelDensity(swapping: self) }
}

// MARK: JFIF

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

// MARK: PNG

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

// MARK: Conversion

extension PixelDensity.Unit {
    /// The number of these units per metre, as a fraction: an inch is exactly 2.54 cm.
    fileprivate var perMetreFactor: (numerator: UInt64, denominator: UInt64) {
        switch self {
        case .perInch: (10000, 254)
        case .perCentimetre: (100, 1)
        case .perMetre, .aspectRatio: (1, 1)
        }
    }
}

extension PixelDensity {
    /// Converts `value` dots per ``unit`` to dots per `target`, rounded half up.
    private func rounded(_ value: Rational, in target: Unit) -> UInt64 {
        let (from, to) = (unit.perMetreFactor, target.perMetreFactor)
        // At most 2³² × 10,000 × 254 × 2 < 2⁵⁶, so nothing overflows.
        let numerator = UInt64(value.numerator) * from.numerator * to.denominator
        let denominator = UInt64(value.denominator) * from.denominator * to.numerator
        return (numerator * 2 + denominator) / (denominator * 2)
    }

    /// Returns the ratio of horizontal to vertical in lowest terms, halved until neither number exceeds `limit`.
    private func ratio(limit: UInt64) -> (UInt64, UInt64) {
        // The product of two 32-bit numbers fits in 64 bits.
        var x = UInt64(horizontal.numerator) * UInt64(vertical.denominator)
        var y = UInt64(vertical.numerator) * UInt64(horizontal.denominator)
        let divisor = greatestCommonDivisor(x, y)
        (x, y) = (x / divisor, y / divisor)
        while max(x, y) > limit { (x, y) = (max(x / 2, 1), max(y / 2, 1)) }
        return (x, y)
    }
}
