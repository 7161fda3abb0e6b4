/// A pixel in arithmetic: blue, green, red, alpha, 0…255, the colours premultiplied.
typealias WarpPixel = SIMD4<Float>

/// How pixels are read and written; one specialised loop is made for each conformer.
protocol WarpFormat {
    static func read(_ pixel: UInt32) -> WarpPixel
    static func write(_ pixel: WarpPixel) -> UInt32
    /// The background as it stands where no picture is.
    static func write(_ background: PixelColor) -> UInt32
}

extension WarpFormat {
    @inline(__always)
    static func write(_ background: PixelColor) -> UInt32 { background.pixel }
}

enum OpaqueToOpaque: WarpFormat {
    @inline(__always)
    static func read(_ pixel: UInt32) -> WarpPixel { WarpPixel(bytes: pixel) }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.bytes | 0xFF00_0000 }
}

enum OpaqueToStraight: WarpFormat {
    @inline(__always)
    static func read(_ pixel: UInt32) -> WarpPixel { WarpPixel(bytes: pixel) }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.straightBytes }
}

enum StraightToStraight: WarpFormat {
    @inline(__always)
    static func read(_ pixel: UInt32) -> WarpPixel {
        var result = WarpPixel(bytes: pixel)
        let alpha = result.w
        result *= alpha * (1 / 255)
        result.w = alpha
        return result
    }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.straightBytes }
}

enum PremultipliedToPremultiplied: WarpFormat {
    @inline(__always)
    static func read(_ pixel: UInt32) -> WarpPixel { WarpPixel(bytes: pixel) }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.bytes }
    static func write(_ background: PixelColor) -> UInt32 { background.premultipliedPixel }
}

extension WarpPixel {
    @inline(__always)
    init(bytes: UInt32) {
        // 2²³ + byte has the byte in the lowest bits of its significand.
        let lanes = SIMD4<UInt32>(truncatingIfNeeded: unsafeBitCast(bytes, to: SIMD4<UInt8>.self))
        self = unsafeBitCast(lanes | 0x4B00_0000, to: WarpPixel.self) - 0x1p23
    }

    /// The background, premultiplied and not rounded.
    init(_ color: PixelColor) {
        let alpha = Float(color.alpha)
        self = WarpPixel(Float(color.blue), Float(color.green), Float(color.red), 255) * (alpha / 255)
    }

    /// The four values, each of which must lie in 0…255, rounded to bytes.
    @inline(__always)
    var bytes: UInt32 {
        let lanes = unsafeBitCast(self + 0x1p23, to: SIMD4<UInt32>.self)
        return (lanes.x & 255) | (lanes.y & 255) << 8 | (lanes.z & 255) << 16 | (lanes.w & 255) << 24
    }

    /// The colours divided by alpha; a pixel whose alpha rounds to nothing is transparent black.
    @inline(__always)
    var straightBytes: UInt32 {
        guard w >= 0.5 else { return 0 }
        var straight = self * (255 / w)
        straight.clamp(lowerBound: WarpPixel(repeating: 0), upperBound: WarpPixel(repeating: 255))
        straight.w = w
        return straight.bytes
    }
}
