import PlatformLibc

/// The transfer curve of sRGB (IEC 61966-2-1), for values from 0 to 1.
package enum TransferCurve {
    /// The exponent of light, and the offset of values, above the linear part.
    static let exponent = 2.4
    static let offset = 0.055
    /// The slope of the linear part, and the value at its end.
    static let slope = 12.92
    static let end = 0.04045

    /// Returns the light of a value.
    package static func light(_ value: Double) -> Double { light(value, power: pow) }

    /// Returns the light of a value.
    ///
    /// - Parameter power: raises its first argument to the power of its second one.
    package static func light(_ value: Double, power: (Double, Double) -> Double) -> Double {
        value <= end ? value / slope : power((value + offset) / (1 + offset), exponent)
    }

    /// Returns the value of light.
    package static func value(_ light: Double) -> Double {
        light <= 0.0031308 ? light * slope : (1 + offset) * pow(light, 1 / exponent) - offset
    }

    /// Returns the nearest of the 256 samples for light.
    package static func sample(_ light: Double) -> UInt8 { UInt8((value(light) * 255).rounded()) }

    /// The light of the 256 samples.
    package static let lights = (0...255).map { light(Double($0) / 255) }

    /// ``lights`` in single precision.
    package static let floatLights = lights.map(Float.init)
}
