import CCodecShims

/// Ordered dithering: samples of more than 8 bits become bytes, rounded up or down by a pattern of noise, so that
/// smooth gradients do not become bands.
package enum Dithering {
    /// Converts a row of samples of 16 bits, the more significant byte first, to bytes.
    ///
    /// - Parameters:
    ///   - source: two bytes for each channel of each pixel.
    ///   - destination: a byte for each channel of each pixel.
    ///   - y: the row's number in the image, on which the pattern depends.
    package static func narrow(
        _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, pixels: Int, channels: Int, y: Int
    ) {
        texel_dither_row(destination, source, pixels, Int32(channels), UInt32(truncatingIfNeeded: y))
    }

    /// The pattern's value at a pixel.
    package static func threshold(x: Int, y: Int) -> UInt32 {
        texel_dither_threshold(UInt32(truncatingIfNeeded: x), UInt32(truncatingIfNeeded: y))
    }

    /// Returns a sample as a byte.
    ///
    /// - Parameters:
    ///   - sample: at most `maximum`.
    ///   - maximum: the sample of white, at most 65,535.
    ///   - threshold: the pattern's value at the pixel.
    package static func byte(_ sample: Int, maximum: Int, threshold: UInt32) -> UInt8 {
        texel_dithered(UInt32((sample * 65_535 + maximum / 2) / maximum), threshold)
    }
}
