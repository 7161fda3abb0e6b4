/// The colours of an image with their weights; similar colours are merged if there are too many.
struct ColorHistogram {
    struct Entry {
        var point: SIMD4<Float>
        var weight: Float
    }

    /// Colours with partial transparency. Fully transparent pixels are in neither list.
    private(set) var translucent: [Entry] = []
    private(set) var opaque: [Entry] = []
    private(set) var hasTransparency = false
    private(set) var isGray = true

    /// Collects the colours of an image.
    ///
    /// - Parameters:
    ///   - image: straight or opaque.
    ///   - continues: called from time to time; returns whether to go on.
    /// - Returns: `nil` if `continues` returned false.
    init?(_ image: PixelBuffer, while continues: () -> Bool) {
        var table = WeightedColors()
        let isWhole = image.withUnsafePixels { pixels in
            for y in 0..<image.height {
                if y % 64 == 0, !continues() { return false }
                let row = y * image.pixelsPerRow
                let above = y > 0 ? row - image.pixelsPerRow : row
                for x in 0..<image.width {
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

    /// The fewest colours of a palette that keeps transparent, translucent and opaque pixels apart.
    var leastColors: Int { (hasTransparency ? 1 : 0) + (translucent.isEmpty ? 0 : 1) + (opaque.isEmpty ? 0 : 1) }

    /// Returns the weight of a pixel: errors are most visible in smooth areas.
    private static func weight(_ pixel: UInt32, left: UInt32, above: UInt32) -> UInt32 {
        func change(_ other: UInt32) -> UInt32 {
            let (a, b) = (Int32(pixel >> 8 & 255), Int32(other >> 8 & 255))
            return (a - b).magnitude
        }
        return 2 + 120 / (10 + change(left) + change(above))
    }
}
