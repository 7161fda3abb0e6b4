import TexelCore

/// The conversion of 8-bit pixels of high dynamic range to sRGB by the formulas of ``HighDynamicRange``. Colours
/// outside sRGB are clipped.
struct ToneMapping {
    /// The light of each of the 256 samples, before compression.
    private let light: [Double]
    /// The compression factor of a pixel, indexed by its largest sample.
    private let scale: [Double]
    /// The matrix from linear light of the code points' primaries to that of sRGB's, row by row.
    private let matrix: [Double]

    /// Prepares the tables.
    ///
    /// - Throws: `unusableColorProfile` unless the code points have a high dynamic range.
    init(_ points: CICP) throws(TexelError) {
        guard let range = HighDynamicRange(points) else {
            throw .unusableColorProfile("Texel cannot map \(points.name) to sRGB")
        }
        matrix = try ColorMatrix.toSRGB(from: points).factors
        let values = (0..<256).map { Double($0) / 255 }
        light = values.map(range.light)
        scale = values.map(range.compression)
    }

    /// Converts `count` straight pixels 0xAARRGGBB. `source` and `destination` may be the same row.
    func convert(_ source: UnsafePointer<UInt32>, to destination: UnsafeMutablePointer<UInt32>, count: Int) {
        let m = matrix
        light.withUnsafeBufferPointer { light in
            scale.withUnsafeBufferPointer { scale in
                for x in 0..<count {
                    let pixel = source[x]
                    let (r, g, b) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
                    let scale = scale[max(r, g, b)]
                    let (red, green, blue) = (light[r] * scale, light[g] * scale, light[b] * scale)
                    destination[x] =
                        pixel & 0xFF00_0000 | sample(m[0] * red + m[1] * green + m[2] * blue) << 16
                        | sample(m[3] * red + m[4] * green + m[5] * blue) << 8
                        | sample(m[6] * red + m[7] * green + m[8] * blue)
                }
            }
        }
    }

    /// Returns the sRGB sample of linear light, clipped.
    private func sample(_ light: Double) -> UInt32 {
        UInt32(Self.samples[Int(min(max(light, 0), 1) * Double(Self.samples.count - 1) + 0.5)])
    }

    /// The sRGB samples of 65,536 levels of light: enough to distinguish the darkest samples, which are 1/3295 apart.
    private static let samples: [UInt8] = (0..<65_536).map {
        TransferCurve.sample(Double($0) / 65_535)
    }
}
