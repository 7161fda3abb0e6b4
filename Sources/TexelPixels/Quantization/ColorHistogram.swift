/// The colours of a picture, similar ones together where there are very many, and how much each of them matters.
struct ColorHistogram {
    struct Entry {
        var point: SIMD4<Float>
        var weight: Float
    }

    /// Of colours with some transparency, and of opaque ones. What is wholly transparent is in neither.
    private(set) var translucent: [Entry] = []
    private(set) var opaque: [Entry] = []
    private(set) var hasTransparency = false
    private(set) var isGray = true

    /// - Parameters:
    ///   - picture: straight or opaque.
    ///   - continues: asked now and then.
    /// - Returns: `nil` where it was stopped.
    init?(_ picture: PixelBuffer, while continues: () -> Bool) {
        var table = WeighedColors()
        let isWhole = picture.withUnsafePixels { pixels in
            for y in 0..<picture.height {
                if y % 64 == 0, !continues() { return false }
                let row = y * picture.pixelsPerRow
                let above = y > 0 ? row - picture.pixelsPerRow : row
                for x in 0..<picture.width {
                    let pixel = pixels[row + x]
                    guard pixel >> 24 != 0 else {
                        hasTransparency = true
                        continue
                    }
                    table.add(
                        pixel, weight: Self.weight(pixel, left: pixels[row + max(x, 1) - 1], above: pixels[above + x]))
                }
            }
            return true
        }
        guard isWhole else { return nil }
        for (color, weight) in table.means {
            if color >> 16 & 255 != color & 255 || color >> 8 & 255 != color & 255 { isGray = false }
            let entry = Entry(point: PerceptualPoint.point(color), weight: Float(weight))
            if color >> 24 == 255 { opaque.append(entry) } else { translucent.append(entry) }
        }
    }

    /// How many colours a palette has at least in which transparent, translucent and opaque pixels stay what they are.
    var leastColors: Int { (hasTransparency ? 1 : 0) + (translucent.isEmpty ? 0 : 1) + (opaque.isEmpty ? 0 : 1) }

    /// Faults are seen where little happens.
    private static func weight(_ pixel: UInt32, left: UInt32, above: UInt32) -> UInt32 {
        func change(_ other: UInt32) -> UInt32 {
            let (a, b) = (Int32(pixel >> 8 & 255), Int32(other >> 8 & 255))
            return (a - b).magnitude
        }
        return 2 + 120 / (10 + change(left) + change(above))
    }
}
