/// A fraction of two integers, as EXIF stores measurements. Always in lowest terms, so equal values compare equal.
public struct Rational: Sendable, Hashable, Codable {
    /// The numerator, in lowest terms.
    public let numerator: UInt32
    /// The denominator, in lowest terms; may be zero.
    public let denominator: UInt32

    /// Creates a fraction and reduces it to lowest terms.
    public init(_ numerator: UInt32, _ denominator: UInt32 = 1) {
        let divisor = max(greatestCommonDivisor(UInt64(numerator), UInt64(denominator)), 1)
        // Quotients are not larger than the 32-bit dividends.
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

    /// Whether this is a number greater than zero. Files also hold 0/1, 1/0 and 0/0, for "unknown" and "infinite".
    public var isPositive: Bool { numerator > 0 && denominator > 0 }

    /// The value; `nil` if the denominator is zero.
    public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

extension Rational: CustomStringConvertible {
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Returns the greatest common divisor (Euclid's algorithm); zero only for two zeros.
package func greatestCommonDivisor<Number: BinaryInteger>(_ first: Number, _ second: Number) -> Number {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
