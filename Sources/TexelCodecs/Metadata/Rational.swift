/// A fraction of two whole numbers, as EXIF stores measurements; always in lowest terms, so equal values are equal.
public struct Rational: Sendable, Hashable, Codable {
    public let numerator: UInt32
    public let denominator: UInt32

    public init(_ numerator: UInt32, _ denominator: UInt32 = 1) {
        let divisor = max(greatestCommonDivisor(UInt64(numerator), UInt64(denominator)), 1)
        // The divisor divides both, so both quotients fit.
        self.numerator = UInt32(truncatingIfNeeded: UInt64(numerator) / divisor)
        self.denominator = UInt32(truncatingIfNeeded: UInt64(denominator) / divisor)
    }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(try container.decode(UInt32.self), try container.decode(UInt32.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(numerator)
        try container.encode(denominator)
    }

    /// Whether this is a number greater than zero: files also hold 0/1, 1/0 and 0/0, for "unknown" and "infinite".
    public var isPositive: Bool { numerator > 0 && denominator > 0 }

    /// The value, or `nil` where the denominator is zero.
    public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

extension Rational: CustomStringConvertible {
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Euclid's algorithm; zero only for two zeros.
func greatestCommonDivisor<Number: BinaryInteger>(_ first: Number, _ second: Number) -> Number {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
