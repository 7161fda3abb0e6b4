import TexelPixels

/// The samples of pixels of 64 bits: signed numbers with 13 bits after the point, of which 1 is white, in linear light.
/// (GDI+, PixelFormat64bppARGB.)
enum BMPLinearSamples {
    private static let white = 8192

    /// The sRGB sample of each level of light from black to white (IEC 61966-2-1). Light beyond white is clipped.
    private static let table = (0...white).map { TransferCurve.sample(Double($0) / Double(white)) }

    static func color(_ sample: Int16) -> UInt32 { UInt32(table[min(max(Int(sample), 0), white)]) }

    static func alpha(_ sample: Int16) -> UInt32 {
        UInt32((min(max(Int(sample), 0), white) * 255 + white / 2) / white)
    }
}
