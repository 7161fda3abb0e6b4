import TexelPixels

/// Recognises pixels that a decoder computed from whole samples of Y, Cb and Cr, as a JPEG has them.
///
/// Rounding to 8 bits moves red, green and blue by at most half a step each, and so also Y, Cb and Cr (the weights of
/// each add up to one at most). Rounding them again gives the decoder's samples, whereas their fractions are errors. In
/// an area of one colour these errors are equal, and can move the DC coefficient by a step in each generation.
enum SampleOrigin {
    /// About how many pixels are examined.
    private static let sampledPixels = 65536
    /// With fewer usable pixels nothing is certain.
    private static let leastPixels = 64
    /// The least share of pixels that whole samples explain. Of all colours they explain a quarter.
    private static let leastShare = 0.875
    /// The largest difference of a channel: half a step, and a little for decoders with other constants.
    private static let tolerance = 0.5 + 1.0 / 128

    /// Returns whether whole samples explain most of the pixels.
    ///
    /// - Parameter image: opaque pixels.
    static func isWhole(_ image: PixelBuffer) -> Bool {
        let rowStep = max(image.width * image.height / sampledPixels, 1)
        var (usable, explained) = (0, 0)
        image.withUnsafeBytes { bytes in
            for y in stride(from: 0, to: image.height, by: rowStep) {
                let row = y * image.bytesPerRow
                for place in stride(from: row, to: row + 4 * image.width, by: 4) {
                    let (blue, green, red) = (Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
                    // Greys are whole in any case, and clipped channels tell nothing.
                    guard blue != green || green != red, min(blue, green, red) > 0, max(blue, green, red) < 255
                    else { continue }
                    usable += 1
                    if isWhole(Double(blue), Double(green), Double(red)) { explained += 1 }
                }
            }
        }
        return usable >= leastPixels && Double(explained) >= Double(usable) * leastShare
    }

    /// Converts a pixel to whole samples and back (ITU-T T.871, section 7).
    private static func isWhole(_ blue: Double, _ green: Double, _ red: Double) -> Bool {
        let (kr, kg, kb) = (YUVMatrix.bt601.kr, YUVMatrix.bt601.kg, YUVMatrix.bt601.kb)
        let luma = kr * red + kg * green + kb * blue
        let y = luma.rounded()
        // What whole samples of Cb and Cr add to luma.
        let blueDifference = (2 - 2 * kb) * ((blue - luma) / (2 - 2 * kb)).rounded()
        let redDifference = (2 - 2 * kr) * ((red - luma) / (2 - 2 * kr)).rounded()
        let greenDifference = -(kb * blueDifference + kr * redDifference) / kg
        return abs(y + redDifference - red) <= tolerance && abs(y + greenDifference - green) <= tolerance
            && abs(y + blueDifference - blue) <= tolerance
    }
}
