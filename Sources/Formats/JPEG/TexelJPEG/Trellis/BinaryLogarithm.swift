import TexelCodecs

/// Binary logarithms and powers that are equal on every processor. Variants of the C library's functions differ in the
/// last bit.
enum BinaryLogarithm {
    /// Returns the logarithm of a positive number, with an error below 10⁻¹⁰.
    static func logarithm(_ value: Double) -> Double {
        var exponent = Double(value.exponent)
        var significand = value.significand
        if significand > 1.4142135623730951 {
            significand *= 0.5
            exponent += 1
        }
        // The series of the inverse hyperbolic tangent; |z| < 0.172.
        let z = (significand - 1) / (significand + 1)
        let square = z * z
        var sum = 1.0 / 13
        sum = sum * square + 1.0 / 11
        sum = sum * square + 1.0 / 9
        sum = sum * square + 1.0 / 7
        sum = sum * square + 1.0 / 5
        sum = sum * square + 1.0 / 3
        sum = sum * square + 1
        return exponent + sum * z * 2.8853900817779268
    }

    /// Returns two to the power of a number, with a relative error below 10⁻¹².
    static func power(_ exponent: Double) -> Double {
        let whole = exponent.rounded()
        // The exponential series; |x| < 0.35, so the first term that is left out is below 10⁻¹⁴.
        let x = (exponent - whole) * 0.6931471805599453
        var sum = 1.0 / 39_916_800
        sum = sum * x + 1.0 / 3_628_800
        sum = sum * x + 1.0 / 362_880
        sum = sum * x + 1.0 / 40_320
        sum = sum * x + 1.0 / 5_040
        sum = sum * x + 1.0 / 720
        sum = sum * x + 1.0 / 120
        sum = sum * x + 1.0 / 24
        sum = sum * x + 1.0 / 6
        sum = sum * x + 0.5
        sum = sum * x + 1
        sum = sum * x + 1
        return Double(sign: .plus, exponent: Int(min(max(whole, -1000), 1000)), significand: sum)
    }
}
