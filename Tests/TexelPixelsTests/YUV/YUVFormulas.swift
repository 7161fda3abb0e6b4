import TexelPixels

/// ITU-T H.273 in double precision, written down independently of the code under test.
enum YUVFormulas {
    /// Returns R'G'B', 0…1 inside the range, of samples of Y, U and V.
    static func rgb(
        _ samples: [Int], bitDepth: Int, _ color: YUVColor
    ) -> (red: Double, green: Double, blue: Double) {
        let one = Double(1 << (bitDepth - 8))
        let top = Double(1 << bitDepth - 1)
        let (y, u, v) = (Double(samples[0]), Double(samples[1]) - 128 * one, Double(samples[2]) - 128 * one)
        let luma = color.range == .full ? y / top : (y / one - 16) / 219
        guard let (kr, kb) = weights(color.matrix) else {
            let scale = color.range == .full ? top : 219 * one
            let (green, orange) = (u / scale, v / scale)
            return (luma - green + orange, luma + green, luma - green - orange)
        }
        let scale = color.range == .full ? top : 224 * one
        let red = luma + v / scale * 2 * (1 - kr)
        let blue = luma + u / scale * 2 * (1 - kb)
        return (red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
    }

    /// The weights of red and of blue (table 4); `nil` for YCgCo.
    private static func weights(_ matrix: YUVMatrix) -> (red: Double, blue: Double)? {
        switch matrix {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .smpte240m: (0.212, 0.087)
        case .fcc: (0.30, 0.11)
        case .ycgco: nil
        }
    }
}
