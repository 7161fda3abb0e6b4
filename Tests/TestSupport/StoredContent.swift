public import TexelPixels

/// Images that an encoder must read to their last pixel to know how to store them.
public enum StoredContent: CaseIterable, Sendable {
    case colors, gray, fewColors, fewGrays
    case opaqueAlpha, translucent, translucentGray, fewTranslucent
    /// All transparent pixels have one colour, which no opaque pixel has.
    case colorKey
    /// Only the last pixel has the colour of the transparent ones.
    case takenColorKey
    /// Only the last pixel is not grey.
    case lateColor

    public var alphaMode: AlphaMode {
        switch self {
        case .colors, .gray, .fewColors, .fewGrays, .lateColor: .opaque
        default: .straight
        }
    }

    public func image(_ size: PixelSize) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 5)
        let pixelCount = size.width * size.height
        let last = pixelCount - 1
        var pixels = (0..<pixelCount).map { index -> UInt32 in
            let noise = UInt32(truncatingIfNeeded: generator.next())
            let slope = UInt32(index % size.width * 199 / size.width)
            let gray = (slope + noise % 16) * 0x01_0101
            let color = (gray & 0xFF00FF) | (255 - slope) << 8
            switch self {
            case .colors, .opaqueAlpha: return 0xFF00_0000 | color
            case .gray, .lateColor: return 0xFF00_0000 | gray
            case .fewColors: return 0xFF00_0000 | (noise % 5) * 0x11_2233
            case .fewGrays: return 0xFF00_0000 | (noise % 4) * 0x55_5555
            case .translucent: return noise << 24 | color
            case .translucentGray: return noise << 24 | gray
            case .fewTranslucent: return (noise % 3) << 30 | 0x12_3456
            case .colorKey, .takenColorKey: return noise % 8 == 0 ? 0x0000_FF01 : 0xFF00_0000 | color
            }
        }
        if self == .takenColorKey { pixels[last] = 0xFF00_FF01 }
        if self == .lateColor { pixels[last] = 0xFF01_0203 }
        return try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: alphaMode)
    }
}
