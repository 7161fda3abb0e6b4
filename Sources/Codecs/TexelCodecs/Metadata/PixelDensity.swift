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

    /// Creates a density of equally many pixels per inch in both directions; `nil` for zero.
    public init?(pixelsPerInch: UInt32) {
        self.init(horizontal: Rational(pixelsPerInch), vertical: Rational(pixelsPerInch), unit: .perInch)
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
    package func rounded(_ value: Rational, in target: Unit) -> UInt64 {
        let (from, to) = (unit.perMetreFactor, target.perMetreFactor)
        // At most 2³² × 10,000 × 254 × 2 < 2⁵⁶, so nothing overflows.
        let numerator = UInt64(value.numerator) * from.numerator * to.denominator
        let denominator = UInt64(value.denominator) * from.denominator * to.numerator
        return (numerator * 2 + denominator) / (denominator * 2)
    }

    /// Converts `value` dots per ``unit`` to whole dots per inch.
    func perInch(_ value: Rational) -> Rational { Rational(UInt32(clamping: rounded(value, in: .perInch))) }

    /// The fields ResolutionUnit, XResolution and YResolution of TIFF and EXIF, which have no unit of a metre.
    package var resolution: (unit: UInt16, horizontal: Rational, vertical: Rational) {
        switch unit {
        case .aspectRatio: return (1, horizontal, vertical)
        case .perInch: return (2, horizontal, vertical)
        case .perCentimetre: return (3, horizontal, vertical)
        case .perMetre: return (3, Self.dividedBy100(horizontal), Self.dividedBy100(vertical))
        }
    }

    private static func dividedBy100(_ value: Rational) -> Rational {
        // A product that does not fit is rounded: densities of that size do not occur.
        let (denominator, overflow) = value.denominator.multipliedReportingOverflow(by: 100)
        return overflow ? Rational(value.numerator / 100, value.denominator) : Rational(value.numerator, denominator)
    }

    /// Returns the ratio of horizontal to vertical in lowest terms, halved until neither number exceeds `limit`.
    package func ratio(limit: UInt64) -> (UInt64, UInt64) {
        // The product of two 32-bit numbers fits in 64 bits.
        var x = UInt64(horizontal.numerator) * UInt64(vertical.denominator)
        var y = UInt64(vertical.numerator) * UInt64(horizontal.denominator)
        let divisor = greatestCommonDivisor(x, y)
        (x, y) = (x / divisor, y / divisor)
        while max(x, y) > limit { (x, y) = (max(x / 2, 1), max(y / 2, 1)) }
        return (x, y)
    }
}
