/// Maps straight colours to points of a space in which distance approximates the perceived difference.
///
/// The coordinates are luma and two weighted colour differences, of samples between sRGB's curve and linear light.
/// Translucent colours are seen on some background: with a difference `c` of a premultiplied sample and `a` of alpha,
/// the mean square over all grey backgrounds is c² − ca + a²/3 = (c − a/2)² + a²/12. This is the square of a distance
/// in four dimensions.
///
/// Single-precision arithmetic in a fixed order gives the same result on every processor.
struct PerceptualPoint {
    private static let chromaWeight: Float = 0.5
    private static let (red, green, blue): (Float, Float, Float) = (0.30, 0.59, 0.11)
    /// 1 / √12, the factor of `a` above.
    private static let alphaWeight: Float = 0.288_675

    /// Samples between the curve of sRGB, which is close to perceived lightness, and linear light, in which dithered
    /// dots mix.
    private static let samples: [Float] = (0..<256).map {
        let sample = Float($0) / 255
        return sample * (0.85 + 0.15 * sample)
    }

    static func point(_ color: UInt32) -> SIMD4<Float> {
        samples.withUnsafeBufferPointer { samples in
            let alpha = Float(color >> 24) / 255
            let r = samples[Int(color >> 16 & 255)] * alpha
            let g = samples[Int(color >> 8 & 255)] * alpha
            let b = samples[Int(color & 255)] * alpha
            let luma = red * r + green * g + blue * b
            return SIMD4(
                luma - alpha / 2, chromaWeight * (r - luma), chromaWeight * (b - luma), alphaWeight * alpha)
        }
    }

    /// Returns the nearest straight colour.
    static func color(_ point: SIMD4<Float>) -> UInt32 {
        let alpha = min(max(point.w / alphaWeight, 0), 1)
        guard alpha > 0 else { return 0 }
        let luma = point.x + alpha / 2
        let r = luma + point.y / chromaWeight
        let b = luma + point.z / chromaWeight
        let g = (luma - red * r - blue * b) / green
        func byte(_ premultiplied: Float) -> UInt32 {
            let sample = min(max(premultiplied / alpha, 0), 1)
            // The inverse of `samples`.
            let value = ((0.7225 + 0.6 * sample).squareRoot() - 0.85) / 0.3
            return UInt32(min(max(value * 255 + 0.5, 0), 255))
        }
        return UInt32(alpha * 255 + 0.5) << 24 | byte(r) << 16 | byte(g) << 8 | byte(b)
    }

    static func distance(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
        let difference = a - b
        let squares = difference * difference
        return (squares.x + squares.y) + (squares.z + squares.w)
    }
}
