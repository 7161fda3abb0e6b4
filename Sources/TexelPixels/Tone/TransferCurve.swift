import PlatformLibc

/// The transfer curve of sRGB (IEC 61966-2-1), for values from 0 to 1.
package enum TransferCurve {
    /// Returns the light of a value.
    package static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Returns the value of light.
    package static func value(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
