package import TexelPixels

/// An image to draw on: straight pixels 0xAARRGGBB.
package struct Canvas {
    package let size: PixelSize
    package var pixels: [UInt32]

    package init(_ size: PixelSize, _ background: UInt32 = 0xFFFF_FFFF) {
        self.size = size
        pixels = Array(repeating: background, count: size.width * size.height)
    }

    /// The canvas whose pixel (x, y) is `pixel(x, y)`.
    package init(_ size: PixelSize, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
        self.size = size
        pixels = []
        pixels.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { pixels.append(pixel(x, y)) }
        }
    }

    /// Sets a pixel; outside nothing happens.
    package mutating func set(_ x: Int, _ y: Int, _ pixel: UInt32) {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return }
        pixels[y * size.width + x] = pixel
    }

    package mutating func fill(x: Int, y: Int, width: Int, height: Int, _ pixel: UInt32) {
        for row in y..<(y + height) {
            for column in x..<(x + width) { set(column, row, pixel) }
        }
    }

    /// A line one pixel wide, both ends included.
    package mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ pixel: UInt32) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for step in 0...steps {
            let x = start.x * steps + (end.x - start.x) * step
            let y = start.y * steps + (end.y - start.y) * step
            set((x + steps / 2) / steps, (y + steps / 2) / steps, pixel)
        }
    }

    /// Lays `pixel` with the coverage 0…1 over what is there; both are straight.
    package mutating func blend(_ x: Int, _ y: Int, _ pixel: UInt32, coverage: Double) {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y), coverage > 0 else { return }
        let below = pixels[y * size.width + x]
        let alpha = Double(pixel >> 24) / 255 * min(1, coverage)
        let belowAlpha = Double(below >> 24) / 255 * (1 - alpha)
        let sum = alpha + belowAlpha
        guard sum > 0 else { return }
        var result = UInt32((sum * 255).rounded()) << 24
        for shift in [UInt32(16), 8, 0] {
            let color = (Double(pixel >> shift & 255) * alpha + Double(below >> shift & 255) * belowAlpha) / sum
            result |= UInt32(color.rounded()) << shift
        }
        pixels[y * size.width + x] = result
    }

    /// A disc with an antialiased edge, or with one that fades over `softness` pixels.
    package mutating func disc(
        x centerX: Double, y centerY: Double, radius: Double, softness: Double = 1, _ pixel: UInt32
    ) {
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (dx, dy) = (Double(x) + 0.5 - centerX, Double(y) + 0.5 - centerY)
                let distance = (dx * dx + dy * dy).squareRoot()
                blend(x, y, pixel, coverage: (radius - distance) / softness + 0.5)
            }
        }
    }

    /// Text in ``Glyphs``' letters, `scale` pixels to a dot.
    package mutating func text(_ text: String, x: Int, y: Int, scale: Int = 1, _ pixel: UInt32) {
        var left = x
        for character in text {
            for (row, bits) in (Glyphs.rows[character] ?? []).enumerated() {
                for column in 0..<5 where bits >> UInt8(4 - column) & 1 == 1 {
                    fill(x: left + column * scale, y: y + row * scale, width: scale, height: scale, pixel)
                }
            }
            left += 6 * scale
        }
    }

    /// The bytes B, G, R, A of all pixels.
    package var bgra: [UInt8] {
        pixels.flatMap { pixel in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) } }
    }

    /// Each pixel's samples for a PNG of this colour type; grey is the green byte, a palette is searched.
    package func samples(_ colorType: PNGWriter.ColorType, palette: [UInt32] = []) -> [UInt16] {
        let places = Dictionary(palette.enumerated().map { ($1, UInt16($0)) }, uniquingKeysWith: { first, _ in first })
        return pixels.flatMap { pixel -> [UInt16] in
            let (red, green, blue) = (UInt16(pixel >> 16 & 255), UInt16(pixel >> 8 & 255), UInt16(pixel & 255))
            return switch colorType {
            case .gray: [green]
            case .grayAlpha: [green, UInt16(pixel >> 24)]
            case .rgb: [red, green, blue]
            case .rgba: [red, green, blue, UInt16(pixel >> 24)]
            case .palette: [places[pixel] ?? 0]
            }
        }
    }
}

/// An opaque pixel of three values that are clamped to bytes.
func opaquePixel(_ red: Double, _ green: Double, _ blue: Double) -> UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32(min(255, max(0, value)).rounded()) }
    return 0xFF00_0000 | byte(red) << 16 | byte(green) << 8 | byte(blue)
}
