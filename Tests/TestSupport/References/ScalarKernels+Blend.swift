package import TexelFilters
package import TexelPixels

/// References of the compositing kernels: the same steps, each rounded by itself.
extension ScalarKernels {
    /// One of the two rows of a blend.
    package struct BlendSide {
        package var pixels: [UInt32]
        package var mode: AlphaMode

        package init(pixels: [UInt32], mode: AlphaMode) {
            self.pixels = pixels
            self.mode = mode
        }
    }

    /// The tables to blend light.
    package struct BlendTables {
        package var toLight: [Float]
        package var fromLight: [UInt8]

        package init(toLight: [Float], fromLight: [UInt8]) {
            self.toLight = toLight
            self.fromLight = fromLight
        }
    }

    package static func blend(
        _ mode: BlendMode, _ backdrop: BlendSide, _ source: BlendSide, opacity: Float, tables: BlendTables? = nil
    ) -> [UInt32] {
        zip(backdrop.pixels, source.pixels).map { below, above in
            if above >> 24 == 0 { return below }
            if mode == .normal, backdrop.mode != .straight, tables == nil {
                return over(below, above, isPremultiplied: source.mode == .premultiplied, opacity)
            }
            return blend(mode, (below, backdrop.mode), (above, source.mode), opacity, tables)
        }
    }

    private static func byte(_ pixel: UInt32, _ shift: Int) -> Int { Int(pixel >> UInt32(shift) & 255) }

    private static func over(_ below: UInt32, _ above: UInt32, isPremultiplied: Bool, _ opacity: Float) -> UInt32 {
        let factor = min(32767, Int(opacity * 32768 + 0.5))
        func scaled(_ value: Int) -> Int { (value * factor + 1 << 14) >> 15 }
        let alpha = scaled(byte(above, 24))
        return [0, 8, 16, 24].reduce(0) { pixel, shift in
            let color = byte(above, shift)
            let light =
                isPremultiplied
                ? scaled(min(color, byte(above, 24))) * 255 : (shift == 24 ? 255 : color) * alpha
            return pixel | UInt32((light + byte(below, shift) * (255 - alpha) + 127) / 255) << UInt32(shift)
        }
    }

    private static func color(_ pixel: UInt32, _ mode: AlphaMode, _ tables: BlendTables?) -> [Float] {
        [16, 8, 0].map { shift in
            if let tables { return tables.toLight[byte(pixel, shift)] }
            guard mode == .premultiplied else { return Float(byte(pixel, shift)) * (1 / 255 as Float) }
            let alpha = byte(pixel, 24)
            return Float(min(byte(pixel, shift), alpha)) / Float(max(alpha, 1))
        }
    }

    private static func blend(
        _ mode: BlendMode, _ backdrop: (pixel: UInt32, mode: AlphaMode), _ source: (pixel: UInt32, mode: AlphaMode),
        _ opacity: Float, _ tables: BlendTables?
    ) -> UInt32 {
        let (b, s) = (color(backdrop.pixel, backdrop.mode, tables), color(source.pixel, source.mode, tables))
        let mixed = BlendFormulas<Float>.mix(mode, b, s)
        let bAlpha = Float(byte(backdrop.pixel, 24))
        let sAlpha = Float(byte(source.pixel, 24)) * opacity
        if sAlpha == 0 { return backdrop.pixel }
        let weights = [bAlpha * (255 - sAlpha), sAlpha * (255 - bAlpha), bAlpha * sAlpha]
        let total = weights[0] + weights[1] + weights[2]
        let scale = 1 / max(total, 1)
        let alpha = total * (1 / 255 as Float)
        let byteAlpha = UInt32(alpha + 0.5)
        return zip([16, 8, 0], 0..<3).reduce(byteAlpha << 24) { pixel, channel in
            let (shift, index) = channel
            let sum =
                b[index] * (weights[0] * scale) + s[index] * (weights[1] * scale) + mixed[index] * (weights[2] * scale)
            var value: UInt32
            if let tables {
                value = UInt32(tables.fromLight[Int(sum * 32767 + 0.5)])
            } else {
                value = UInt32(sum * (backdrop.mode == .premultiplied ? alpha : 255) + 0.5)
            }
            if backdrop.mode == .premultiplied { value = min(value, byteAlpha) }
            return pixel | value << UInt32(shift)
        }
    }

    /// Multiplies alpha, and premultiplied colours, by a byte per pixel.
    package static func cover(_ row: [UInt8], _ coverage: [UInt8], isPremultiplied: Bool) -> [UInt8] {
        row.indices.map { index in
            guard isPremultiplied || index % 4 == 3 else { return row[index] }
            return UInt8((Int(row[index]) * Int(coverage[index / 4]) + 127) / 255)
        }
    }
}

/// The blend functions of W3C Compositing and Blending Level 1, section 10, for colours of red, green and blue.
package enum BlendFormulas<Number: BinaryFloatingPoint> {
    @_specialize(where Number == Double)
    package static func mix(_ mode: BlendMode, _ b: [Number], _ s: [Number]) -> [Number] {
        switch mode {
        case .hue: setLuminosity(setSaturation(s, saturation(b)), luminosity(b))
        case .saturation: setLuminosity(setSaturation(b, saturation(s)), luminosity(b))
        case .color: setLuminosity(s, luminosity(b))
        case .luminosity: setLuminosity(b, luminosity(s))
        default: zip(b, s).map { separable(mode, $0, $1) }
        }
    }

    private static func separable(_ mode: BlendMode, _ b: Number, _ s: Number) -> Number {
        switch mode {
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return separable(.hardLight, s, b)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge:
            if b <= 0 { return 0 }
            return s >= 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn:
            if b >= 1 { return 1 }
            return s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return s <= 0.5 ? b * (s + s) : separable(.screen, b, s + s - 1)
        case .softLight:
            if s <= 0.5 { return b - (1 - (s + s)) * b * (1 - b) }
            let curve = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return b + (s + s - 1) * (curve - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        default: return s
        }
    }

    private static func luminosity(_ c: [Number]) -> Number {
        0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]
    }

    private static func least(_ c: [Number]) -> Number { min(min(c[0], c[1]), c[2]) }
    private static func greatest(_ c: [Number]) -> Number { max(max(c[0], c[1]), c[2]) }
    private static func saturation(_ c: [Number]) -> Number { greatest(c) - least(c) }

    private static func setLuminosity(_ c: [Number], _ value: Number) -> [Number] {
        let distance = value - luminosity(c)
        let moved = c.map { $0 + distance }
        let (low, high) = (least(moved), greatest(moved))
        return moved.map { channel in
            var channel = channel
            if low < 0 { channel = value + (channel - value) * value / (value - low) }
            if high > 1 { channel = value + (channel - value) * (1 - value) / (high - value) }
            return channel
        }
    }

    private static func setSaturation(_ c: [Number], _ value: Number) -> [Number] {
        let (low, range) = (least(c), saturation(c))
        let factor = range > 0 ? value / range : 0
        return c.map { ($0 - low) * factor }
    }
}
