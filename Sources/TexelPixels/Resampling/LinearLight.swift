import PlatformLibc

/// The transfer curve of sRGB (IEC 61966-2-1) as tables, with light in 15 bits: 0…32767.
///
/// Where the curve is steepest, neighbouring bytes are 10 steps of light apart, so converting a byte to light and back
/// returns the same byte.
package enum LinearLight {
    package static let maximum = 32767

    /// The light of each byte.
    package static let fromByte: [UInt16] = (0...255).map { byte in
        let value = Double(byte) / 255
        let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        return UInt16((light * Double(maximum)).rounded())
    }

    /// The nearest byte for each level of light.
    package static let toByte: [UInt8] = (0...maximum).map { step in
        let light = Double(step) / Double(maximum)
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }
}
