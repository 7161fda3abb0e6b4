/// A pixel for arithmetic: blue, green, red, alpha, 0…255, premultiplied.
typealias WarpPixel = SIMD4<Float>

/// How pixels are read and written. The loops are specialised for each conforming type.
protocol WarpFormat {
    /// Returns the premultiplied pixel times `weight` times ``scale``.
    static func read(_ pixel: UInt32, times weight: Float) -> WarpPixel
    /// The factor by which sums of ``read(_:times:)`` must be divided.
    static var scale: Float { get }
    /// Returns the pixel clamped to valid values: filters overshoot, but no colour may exceed alpha.
    static func limited(_ pixel: WarpPixel) -> WarpPixel
    static func write(_ pixel: WarpPixel) -> UInt32
    /// Returns the pixel for canvas outside the image.
    static func write(_ background: PixelColor) -> UInt32
}

extension WarpFormat {
    @inline(__always)
    static func read(_ pixel: UInt32, times weight: Float) -> WarpPixel { WarpPixel(bytes: pixel) * weight }
    static var scale: Float { 1 }
    @inline(__always)
    static func limited(_ pixel: WarpPixel) -> WarpPixel {
        let alpha = WarpPixel(repeating: pixel.w).limited(to: WarpPixel(repeating: 255))
        return pixel.limited(to: alpha)
    }
    static func write(_ background: PixelColor) -> UInt32 { background.pixel }
}

enum OpaqueToOpaque: WarpFormat {
    @inline(__always)
    static func limited(_ pixel: WarpPixel) -> WarpPixel { pixel.limited(to: WarpPixel(repeating: 255)) }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.bytes | 0xFF00_0000 }
}

enum OpaqueToStraight: WarpFormat {
    @inline(__always)
    static func limited(_ pixel: WarpPixel) -> WarpPixel { pixel.limited(to: WarpPixel(repeating: 255)) }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.straightBytes }
}

enum StraightToStraight: WarpFormat {
    // (blue, green, red, 255) × alpha is the premultiplied pixel times 255.
    @inline(__always)
    static func read(_ pixel: UInt32, times weight: Float) -> WarpPixel {
        WarpPixel(bytes: pixel | 0xFF00_0000) * (weight * Float(Int32(truncatingIfNeeded: pixel >> 24)))
    }
    static var scale: Float { 255 }
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.straightBytes }
}

enum PremultipliedToPremultiplied: WarpFormat {
    @inline(__always)
    static func write(_ pixel: WarpPixel) -> UInt32 { pixel.bytes }
    static func write(_ background: PixelColor) -> UInt32 { background.premultipliedPixel }
}

extension WarpPixel {
    @inline(__always)
    init(bytes: UInt32) {
        // The significand of 2²³ + byte has the byte in its lowest bits.
        let lanes = SIMD4<UInt32>(truncatingIfNeeded: unsafeBitCast(bytes, to: SIMD4<UInt8>.self))
        self = unsafeBitCast(lanes | 0x4B00_0000, to: WarpPixel.self) - 0x1p23
    }

    /// Creates the pixel of a background: premultiplied, without rounding.
    init(_ color: PixelColor) {
        let alpha = Float(color.alpha)
        self = WarpPixel(Float(color.blue), Float(color.green), Float(color.red), 255) * (alpha / 255)
    }

    /// The four values, which must be in 0…255, rounded to bytes.
    @inline(__always)
    var bytes: UInt32 {
        let lanes = unsafeBitCast(self + 0x1p23, to: SIMD4<UInt32>.self)
        return (lanes.x & 255) | (lanes.y & 255) << 8 | (lanes.z & 255) << 16 | (lanes.w & 255) << 24
    }

    /// The colours divided by alpha, as bytes. A pixel whose alpha rounds to zero becomes transparent black.
    @inline(__always)
    var straightBytes: UInt32 {
        guard w >= 0.5 else { return 0 }
        var straight = self * (255 / w)
        straight = straight.limited(to: WarpPixel(repeating: 255))
        straight.w = w
        return straight.bytes
    }

    /// Returns each value clamped to 0…`upper`. Masks become single instructions; `clamp` becomes a function call.
    @inline(__always)
    func limited(to upper: WarpPixel) -> WarpPixel {
        let zero = WarpPixel(repeating: 0)
        let below = replacing(with: upper, where: self .> upper)
        return below.replacing(with: zero, where: below .< zero)
    }
}
