import PlatformLibc
public import TexelCore
public import TexelPixels

extension ThumbHash {
    /// The approximate proportions of the image: width / height.
    public var aspectRatio: Double { ThumbHashLayout(bytes).aspectRatio }

    /// The mean colour of the image with its mean alpha.
    public var averageColor: PixelColor {
        let header = ThumbHashHeader(bytes)
        let color = Self.color(luminance: header.luminance, yellow: header.yellow, red: header.red)
        func byte(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
        return PixelColor(
            red: byte(color.red), green: byte(color.green), blue: byte(color.blue), alpha: byte(header.alpha))
    }

    /// Draws the preview: 32 pixels on the longer side, in sRGB, with straight alpha if the image had transparent
    /// pixels.
    ///
    /// - Throws: `outOfMemory`.
    public func image() throws(TexelError) -> PixelBuffer {
        let layout = ThumbHashLayout(bytes)
        let header = ThumbHashHeader(bytes)
        let ratio = layout.aspectRatio
        let size = PixelSize(
            width: ratio > 1 ? 32 : Int((32 * ratio).rounded()), height: ratio > 1 ? Int((32 / ratio).rounded()) : 32)
        var levels = bytes.dropFirst(layout.headerByteCount).flatMap { [Int($0 & 15), Int($0 >> 4)] }[...]
        func plane(_ grid: ThumbHashGrid, mean: Double, scale: Double) -> [Double] {
            let frequencies = grid.frequencies
            let values = levels.prefix(frequencies.count).map { (Double($0) / 7.5 - 1) * scale }
            levels = levels.dropFirst(frequencies.count)
            return Self.plane(size, mean: mean, zip(frequencies, values).map { ($0.0.x, $0.0.y, $0.1) })
        }
        let luminance = plane(layout.luminance, mean: header.luminance, scale: header.luminanceScale)
        // The factor 1.25 raises the saturation, which quantisation lowers.
        let yellow = plane(ThumbHashLayout.color, mean: header.yellow, scale: header.yellowScale * 1.25)
        let red = plane(ThumbHashLayout.color, mean: header.red, scale: header.redScale * 1.25)
        let alpha =
            layout.hasAlpha ? plane(ThumbHashLayout.alpha, mean: header.alpha, scale: header.alphaScale) : nil
        // The reference cuts off fractions.
        func byte(_ value: Double) -> UInt32 { UInt32(255 * min(max(value, 0), 1)) }
        let pixels = luminance.indices.map { index in
            let color = Self.color(luminance: luminance[index], yellow: yellow[index], red: red[index])
            return byte(alpha?[index] ?? 1) << 24 | byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue)
        }
        return try PixelBuffer(
            width: size.width, height: size.height, pixels: pixels, alphaMode: layout.hasAlpha ? .straight : .opaque)
    }

    /// Sums the components of one channel for each pixel.
    private static func plane(
        _ size: PixelSize, mean: Double, _ components: [(x: Int, y: Int, value: Double)]
    ) -> [Double] {
        func cosines(_ length: Int) -> [[Double]] {
            (0..<length).map { place in
                (0..<7).map { cos(.pi / Double(length) * (Double(place) + 0.5) * Double($0)) }
            }
        }
        let (columns, rows) = (cosines(size.width), cosines(size.height))
        return rows.flatMap { row in
            columns.map { column in
                components.reduce(mean) { $0 + $1.value * column[$1.x] * (row[$1.y] * 2) }
            }
        }
    }

    private static func color(
        luminance: Double, yellow: Double, red difference: Double
    ) -> (red: Double, green: Double, blue: Double) {
        let blue = luminance - 2.0 / 3.0 * yellow
        let red = (3 * luminance - blue + difference) / 2
        return (red, red - difference, blue)
    }
}

/// The numbers in the header of a ThumbHash, 0…1 or, for the colour differences, -1…1.
private struct ThumbHashHeader {
    let luminance: Double
    let yellow: Double
    let red: Double
    let luminanceScale: Double
    let yellowScale: Double
    let redScale: Double
    let alpha: Double
    let alphaScale: Double

    init(_ bytes: [UInt8]) {
        let (first, second) = (bytes.littleEndian(3, at: 0), bytes.littleEndian(2, at: 3))
        luminance = Double(first & 63) / 63
        yellow = Double(first >> 6 & 63) / 31.5 - 1
        red = Double(first >> 12 & 63) / 31.5 - 1
        luminanceScale = Double(first >> 18 & 31) / 31
        yellowScale = Double(second >> 3 & 63) / 63
        redScale = Double(second >> 9 & 63) / 63
        let hasAlpha = first >> 23 == 1
        alpha = hasAlpha ? Double(bytes[5] & 15) / 15 : 1
        alphaScale = hasAlpha ? Double(bytes[5] >> 4) / 15 : 0
    }
}
