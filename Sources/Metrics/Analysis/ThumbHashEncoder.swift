import PlatformLibc
import TexelPixels

/// Encodes a small image as a ThumbHash.
struct ThumbHashEncoder {
    private let size: PixelSize
    private let layout: ThumbHashLayout
    /// Luminance, yellow minus blue, red minus green, and alpha of each pixel, on the mean colour.
    private var channels: [[Double]] = [[], [], [], []]

    /// - Parameter image: at most 100 pixels a side, straight or opaque, in sRGB.
    init(_ image: PixelBuffer) {
        size = image.size
        func color(_ pixel: UInt32) -> SIMD4<Double> {
            SIMD4(Double(pixel >> 16 & 255), Double(pixel >> 8 & 255), Double(pixel & 255), 255) / 255
        }
        func alpha(_ pixel: UInt32) -> Double { Double(pixel >> 24) / 255 }
        let pixels = image.pixels
        // Red, green and blue weighted by alpha, and the sum of alpha.
        let sum = pixels.reduce(SIMD4<Double>.zero) { $0 + color($1) * alpha($1) }
        let mean = sum.w > 0 ? sum / sum.w : .zero
        let longest = max(size.width, size.height)
        let hasAlpha = pixels.contains { $0 >> 24 != 255 }
        let shortest = Double(min(size.width, size.height))
        layout = ThumbHashLayout(
            hasAlpha: hasAlpha, isLandscape: size.width > size.height,
            shortCount: max(1, Self.rounded((hasAlpha ? 5 : 7) * shortest / Double(longest))))
        for pixel in pixels {
            let opacity = alpha(pixel)
            let shown = mean * (1 - opacity) + color(pixel) * opacity
            channels[0].append((shown.x + shown.y + shown.z) / 3)
            channels[1].append((shown.x + shown.y) / 2 - shown.z)
            channels[2].append(shown.x - shown.y)
            channels[3].append(opacity)
        }
    }

    /// The components of one channel.
    private struct Components {
        var mean: Double
        /// The other components divided by ``scale``, -1…1.
        var others: [Double]
        /// The largest magnitude of the other components.
        var scale: Double
    }

    /// Returns the encoded hash.
    func bytes() -> [UInt8] {
        let luminance = components(of: channels[0], layout.luminance)
        let yellow = components(of: channels[1], ThumbHashLayout.color)
        let red = components(of: channels[2], ThumbHashLayout.color)
        let first =
            Self.level(luminance.mean, 63) | Self.level((yellow.mean + 1) / 2, 63) << 6
            | Self.level((red.mean + 1) / 2, 63) << 12 | Self.level(luminance.scale, 31) << 18
            | (layout.hasAlpha ? 1 << 23 : 0)
        let second =
            layout.shortCount | Self.level(yellow.scale, 63) << 3 | Self.level(red.scale, 63) << 9
            | (layout.isLandscape ? 1 << 15 : 0)
        var bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8($0 & 255) }
        var levels = (luminance.others + yellow.others + red.others).map { Self.level(0.5 + 0.5 * $0, 15) }
        if layout.hasAlpha {
            let alpha = components(of: channels[3], ThumbHashLayout.alpha)
            bytes.append(UInt8(Self.level(alpha.mean, 15) | Self.level(alpha.scale, 15) << 4))
            levels += alpha.others.map { Self.level(0.5 + 0.5 * $0, 15) }
        }
        for begin in stride(from: 0, to: levels.count, by: 2) {
            bytes.append(UInt8(levels[begin] | (begin + 1 < levels.count ? levels[begin + 1] : 0) << 4))
        }
        return bytes
    }

    private func components(of channel: [Double], _ grid: ThumbHashGrid) -> Components {
        func component(_ u: Int, _ v: Int) -> Double {
            var sum = 0.0
            let columns = (0..<size.width).map { cos(.pi / Double(size.width) * Double(u) * (Double($0) + 0.5)) }
            for y in 0..<size.height {
                let row = cos(.pi / Double(size.height) * Double(v) * (Double(y) + 0.5))
                for x in 0..<size.width { sum += channel[y * size.width + x] * columns[x] * row }
            }
            return sum / Double(size.width * size.height)
        }
        let others = grid.frequencies.map { component($0.x, $0.y) }
        let scale = others.reduce(0) { max($0, abs($1)) }
        // Rounding errors of a uniform channel are not a pattern. The reference writes zeros for one.
        let isUniform = scale < 1e-9
        return Components(
            mean: component(0, 0), others: others.map { isUniform ? -1 : $0 / scale }, scale: isUniform ? 0 : scale)
    }

    /// Returns `value`, 0…1, as an integer in 0…`highest`.
    private static func level(_ value: Double, _ highest: Int) -> Int {
        min(max(rounded(value * Double(highest)), 0), highest)
    }

    /// Rounds half up, as the reference does.
    private static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}
