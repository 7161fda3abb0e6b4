package import CPixelKernels

/// The transfer curve of sRGB (IEC 61966-2-1) as tables, with light in 15 bits: 0…32767.
///
/// Where the curve is steepest, neighbouring bytes are 10 steps of light apart, so converting a byte to light and back
/// returns the same byte.
package enum LinearLight {
    package static let maximum = 32767

    /// The light of each byte.
    package static let fromByte = TransferCurve.lights.map { UInt16(($0 * Double(maximum)).rounded()) }

    /// The light of each byte, from 0 to 1.
    package static let fractions: [Float] = fromByte.map { Float($0) / Float(maximum) }

    /// The nearest byte for each level of light.
    package static let toByte = (0...maximum).map { TransferCurve.sample(Double($0) / Double(maximum)) }
}

extension texel_kernels {
    /// Converts premultiplied light in 15 bits to pixels with straight alpha.
    package func writeLight(_ words: UnsafePointer<Int16>, into destination: UnsafeMutablePointer<UInt8>, width: Int) {
        LinearLight.toByte.withUnsafeBufferPointer { curve in
            guard let curve = curve.baseAddress else { return }
            delinearise_row(destination, words, width, curve)
        }
    }
}
