public import Texel

extension PixelSize {
    /// The size of a 4:3 image with about this many million pixels; sides are multiples of 16.
    public static func megapixels(_ count: Int) -> PixelSize {
        let unit = (Double(count) * 1e6 / 12).squareRoot() / 16
        return PixelSize(width: Int(unit.rounded()) * 64, height: Int(unit.rounded()) * 48)
    }
}

extension PixelBuffer {
    /// Draws an image with the statistics of a photograph: large shapes, finer texture with lower contrast, slowly
    /// varying colours, and sensor noise. The result is the same on every machine.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - alphaMode: If not opaque, large areas are transparent or opaque, with soft edges.
    public static func drawn(_ size: PixelSize, alphaMode: AlphaMode = .opaque) throws -> PixelBuffer {
        let shapes = [(512, 70), (128, 40), (32, 20), (8, 10), (2, 5)].enumerated().map { index, octave in
            (ValueNoise(seed: UInt64(index), period: octave.0), Float(octave.1))
        }
        let (warmth, greenness) = (ValueNoise(seed: 11, period: 300), ValueNoise(seed: 12, period: 220))
        let coverage = ValueNoise(seed: 13, period: 160)
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            var light = [Float](repeating: 120, count: size.width)
            for (noise, amplitude) in shapes { noise.add(to: &light, y: y, amplitude: amplitude) }
            var red = [Float](repeating: 0, count: size.width)
            warmth.add(to: &red, y: y, amplitude: 35)
            var green = [Float](repeating: 0, count: size.width)
            greenness.add(to: &green, y: y, amplitude: 20)
            var alpha = [Float](repeating: alphaMode == .opaque ? 255 : 160, count: size.width)
            if alphaMode != .opaque { coverage.add(to: &alpha, y: y, amplitude: 400) }
            for x in 0..<size.width {
                let channels = (
                    byte(alpha[x]), byte(light[x] + red[x]), byte(light[x] + green[x]), byte(light[x] - red[x])
                )
                pixels.append(channels.0 << 24 | channels.1 << 16 | channels.2 << 8 | channels.3)
            }
        }
        let image = try PixelBuffer(
            width: size.width, height: size.height, pixels: pixels,
            alphaMode: alphaMode == .opaque ? .opaque : .straight)
        return alphaMode == .premultiplied ? try image.premultiplied() : image
    }

    private static func byte(_ value: Float) -> UInt32 { UInt32(min(255, max(0, value))) }
}
