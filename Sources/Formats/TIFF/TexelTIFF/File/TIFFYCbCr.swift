import TexelCodecs
import TexelPixels

/// Converts YCbCr to RGB with a file's coefficients and reference values (TIFF 6.0, section 21).
struct TIFFYCbCr: Sendable {
    /// For each of the 256 numbers: the luma, and what the chroma adds to red, green and blue.
    private let luma: [Float]
    private let redOfRed: [Float]
    private let greenOfRed: [Float]
    private let greenOfBlue: [Float]
    private let blueOfBlue: [Float]

    /// - Parameters:
    ///   - coefficients: the parts of red, green and blue in luma; other than three positive numbers are ignored.
    ///   - reference: black and white of each component; other than six numbers are ignored.
    init(coefficients: [Rational], reference: [Rational]) {
        var parts = coefficients.compactMap { $0.value.map { Float($0) } }
        if parts.count != 3 || !parts.allSatisfy({ $0 > 0 && $0 < 1 }) {
            parts = YUVMatrix.bt601.weights.map { Float($0) }
        }
        var range = reference.compactMap { $0.value.map { Float($0) } }
        if range.count != 6 || range[0] == range[1] || range[2] == range[3] || range[4] == range[5] {
            range = [0, 255, 128, 255, 128, 255]
        }
        let (red, green, blue) = (parts[0], parts[1], parts[2])
        luma = (0..<256).map { (Float($0) - range[0]) * 255 / (range[1] - range[0]) }
        let blues = (0..<256).map { (Float($0) - range[2]) * 127 / (range[3] - range[2]) }
        let reds = (0..<256).map { (Float($0) - range[4]) * 127 / (range[5] - range[4]) }
        redOfRed = reds.map { $0 * (2 - 2 * red) }
        blueOfBlue = blues.map { $0 * (2 - 2 * blue) }
        greenOfRed = reds.map { -$0 * red * (2 - 2 * red) / green }
        greenOfBlue = blues.map { -$0 * blue * (2 - 2 * blue) / green }
    }

    /// Returns the opaque pixel 0xAARRGGBB of three numbers below 256.
    func pixel(_ y: Int, _ blue: Int, _ red: Int) -> UInt32 {
        let light = luma[y]
        let r = Self.byte(light + redOfRed[red])
        let g = Self.byte(light + greenOfRed[red] + greenOfBlue[blue])
        let b = Self.byte(light + blueOfBlue[blue])
        return 0xFF00_0000 | r << 16 | g << 8 | b
    }

    private static func byte(_ value: Float) -> UInt32 {
        // NaN is not possible: all numbers are finite, and the ranges are not 0.
        UInt32(min(255, max(0, value.rounded(.toNearestOrAwayFromZero))))
    }
}
