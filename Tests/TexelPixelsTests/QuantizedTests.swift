import TestSupport
import Testing

@testable import TexelPixels

/// Properties of every image that was reduced to a palette.
@Suite struct QuantizedTests {
    private static let kinds: [(name: String, image: @Sendable () throws -> PixelBuffer)] = [
        ("noise", { try .random(width: 31, height: 27) }),
        ("translucent noise", { try .random(width: 31, height: 27, alphaMode: .straight) }),
        ("premultiplied noise", { try .random(width: 31, height: 27, alphaMode: .premultiplied) }),
        (
            "gradient",
            {
                try .make(width: 65, height: 45) { x, y in
                    0xFF00_0000 | UInt32(x * 255 / 64) << 16 | UInt32(y * 255 / 44) << 8 | UInt32((x + y) % 256)
                }
            }
        ),
        (
            "shadow",
            {
                try .make(width: 50, height: 40, alphaMode: .straight) { x, y in
                    let alpha = max(0, 255 - (abs(x - 25) + abs(y - 20)) * 10)
                    return UInt32(alpha) << 24 | UInt32(x * 2) << 16 | 0x3050
                }
            }
        ),
        ("one row", { try .random(width: 300, height: 1) }),
        ("one column", { try .random(width: 1, height: 300, alphaMode: .straight) }),
    ]

    @Test(arguments: [2, 3, 16, 256])
    func thereAreNoMoreColorsThanAskedFor(colors: Int) throws {
        for kind in Self.kinds {
            let image = try kind.image()
            let result = try #require(try image.quantized(PaletteOptions(colors: colors)))
            #expect(Set(result.pixels).count <= colors, "\(kind.name)")
            #expect(result.size == image.size)
            let straight = try image.unpremultiplied()
            for (before, after) in zip(straight.pixels, result.pixels) where before != after {
                let (alpha, newAlpha) = (before >> 24, after >> 24)
                if alpha == 0 { #expect(newAlpha == 0, "\(kind.name)") }
                if alpha == 255 { #expect(newAlpha == 255, "\(kind.name)") }
                if colors > 2, alpha != 0, alpha != 255 {
                    #expect((1...254).contains(newAlpha), "\(kind.name)")
                }
            }
        }
    }

    @Test func fewColorsComeBackExactly() throws {
        for count in [1, 2, 7, 256] as [UInt32] {
            let image = try PixelBuffer.make(width: 64, height: 64, alphaMode: .straight) { x, y in
                let index = UInt32(x * 64 + y) % count
                return index << 24 | index &* 0x35_7911 & 0xFF_FFFF
            }
            #expect(try image.quantized(PaletteOptions(colors: max(2, Int(count)))) == image)
        }
    }

    /// A gradient beside areas of one colour each; there are more areas than palette entries.
    @Test func flatAreasStayFlat() throws {
        let image = try PixelBuffer.make(width: 160, height: 120) { x, y in
            if x < 80 { return 0xFF00_0000 | UInt32(x * 3) << 16 | UInt32(y * 2) << 8 | UInt32(x + y) }
            let (column, row) = (UInt32(x - 80) / 20, UInt32(y) / 20)
            return 0xFF00_0000 | (column * 60 + 15) << 16 | (row * 40 + 5) << 8 | (column * row * 9)
        }
        let result = try #require(try image.quantized(PaletteOptions(colors: 16)))
        for column in 0..<4 {
            for row in 0..<6 {
                // The first pixels of an area may still get the colour of the area before.
                let pixels = (1..<19).flatMap { y in
                    (1..<19).map { x in result.pixels[(row * 20 + y) * 160 + 80 + column * 20 + x] }
                }
                #expect(Set(pixels).count == 1, "\(column), \(row)")
            }
        }
    }

    /// Colours in the palette are not dithered.
    @Test func frequentColorsStayExact() throws {
        let image = try PixelBuffer.make(width: 200, height: 100) { x, y in
            switch y {
            case 0..<40: 0xFFFF_FFFF
            case 40..<60: 0xFF00_0000
            default: 0xFF00_0000 | UInt32(x) << 16 | UInt32(y * 2) << 8 | UInt32((x * y) % 256)
            }
        }
        let result = try #require(try image.quantized(PaletteOptions(colors: 64)))
        let (before, after) = (image.pixels, result.pixels)
        #expect(before[..<(60 * 200)] == after[..<(60 * 200)])
    }

    @Test func ditheringKeepsTheMeanOfAGradient() throws {
        let image = try PixelBuffer.make(width: 256, height: 64) { x, y in
            0xFF00_0000 | UInt32(x) << 16 | UInt32((x + y) % 256) << 8 | UInt32(255 - x)
        }
        let result = try #require(try image.quantized(PaletteOptions(colors: 32)))
        for shift in [0, 8, 16] as [UInt32] {
            #expect(abs(result.mean(ofChannelAt: shift) - image.mean(ofChannelAt: shift)) < 3)
        }
        #expect(meanDifference(image, result) < 16)
    }

    /// The steps of the gradient are a few pixels wide, but must not be treated as separate areas.
    @Test func softGradientsHaveNoBands() throws {
        let image = try PixelBuffer.make(width: 256, height: 192) { x, y in
            0xFF00_0000 | UInt32(120 + x / 5) << 16 | UInt32(150 + y / 4) << 8 | UInt32(210 - x / 9 + y / 11)
        }
        let result = try #require(try image.quantized(PaletteOptions(colors: 16)))
        for y in stride(from: 16, to: 176, by: 16) {
            for x in stride(from: 16, to: 240, by: 16) {
                let tile = PixelRectangle(x: x, y: y, width: 16, height: 16)
                let (before, after) = (try image.cropped(to: tile), try result.cropped(to: tile))
                for shift in [0, 8, 16] as [UInt32] {
                    let difference = before.mean(ofChannelAt: shift) - after.mean(ofChannelAt: shift)
                    #expect(abs(difference) < 3, "\(x), \(y)")
                }
            }
        }
    }

    @Test func greysStayGrey() throws {
        let image = try PixelBuffer.make(width: 256, height: 20) { x, y in
            0xFF00_0000 | UInt32((x + y * 7) % 256) * 0x01_0101
        }
        let result = try #require(try image.quantized(PaletteOptions(colors: 9)))
        #expect(result.isGray)
    }

    @Test func qualityTakesAsManyColorsAsItNeeds() throws {
        let image = try PixelBuffer.make(width: 200, height: 150) { x, y in
            0xFF00_0000 | UInt32(x) << 16 | UInt32(y) << 8 | UInt32((x + y) / 2)
        }
        var last = 0
        for quality in [1, 30, 60, 80] {
            let result = try #require(try image.quantized(PaletteOptions(quality: quality)))
            let count = Set(result.pixels).count
            #expect(count >= last, "\(quality)")
            last = count
        }
        #expect(try PixelBuffer.random(width: 200, height: 200).quantized(PaletteOptions(quality: 100)) == nil)
        #expect(try image.quantized(PaletteOptions(colors: 2, quality: 90)) == nil)
    }

    @Test func theSameEveryTime() throws {
        for kind in Self.kinds {
            let image = try kind.image()
            let first = try image.quantized(PaletteOptions(colors: 20))
            #expect(try image.quantized(PaletteOptions(colors: 20)) == first)
        }
    }

    @Test func itCanBeStoppedAnywhere() throws {
        let image = try PixelBuffer.random(width: 90, height: 70, alphaMode: .straight)
        func result(asks limit: Int) throws -> (image: PixelBuffer?, asked: Int) {
            var asked = 0
            let result = try image.quantized(PaletteOptions(colors: 9)) {
                asked += 1
                return asked <= limit
            }
            return (result, asked)
        }
        let whole = try result(asks: .max)
        #expect(try whole.image == image.quantized(PaletteOptions(colors: 9)))
        // `continues` is called for the colours, their means and the rows.
        #expect(whole.asked > 8)
        for limit in 0..<whole.asked {
            let stopped = try result(asks: limit)
            #expect(stopped.image == nil && stopped.asked == limit + 1, "\(limit)")
        }
    }

    @Test func partsOfImagesAreLookedAtAlone() throws {
        let image = try PixelBuffer.random(width: 50, height: 40)
        let part = try image.cropped(to: PixelRectangle(x: 9, y: 3, width: 20, height: 11))
        let copy = try PixelBuffer(width: 20, height: 11, pixels: part.pixels, alphaMode: .opaque)
        #expect(
            try part.quantized(PaletteOptions(colors: 8))?.pixels == copy.quantized(PaletteOptions(colors: 8))?.pixels)
    }

    // MARK: Parts

    @Test func colorsSurviveTheirPoints() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            let color = UInt32.random(in: 0 ... .max, using: &generator)
            let opaque = color | 0xFF00_0000
            #expect(PerceptualPoint.color(PerceptualPoint.point(opaque)) == opaque)
            #expect(PerceptualPoint.color(PerceptualPoint.point(color)) >> 24 == color >> 24)
        }
    }

    @Test func theNearestColorIsTheNearest() {
        var generator = SeededGenerator(seed: 5)
        for count in [1, 2, 50, 256] {
            let points = (0..<count).map { _ in
                PerceptualPoint.point(UInt32.random(in: 0 ... .max, using: &generator))
            }
            // Points that were moved must be found like the initial ones.
            var search = NearestColor(points.map { $0 + 0.01 * $0.w })
            search.move(to: points)
            for _ in 0..<300 {
                let point = PerceptualPoint.point(UInt32.random(in: 0 ... .max, using: &generator))
                let found = search.find(point, from: Int.random(in: 0..<count, using: &generator))
                let nearest = points.map { PerceptualPoint.distance($0, point) }.min()
                #expect(found.distance == nearest)
            }
        }
    }

    @Test func weighedColorsKeepTheirMeanAndWeight() {
        var generator = SeededGenerator(seed: 6)
        for count in [1, 100, 100_000] {
            var table = WeightedColors()
            var (weights, sums): (UInt64, [UInt64]) = (0, [0, 0, 0, 0])
            for _ in 0..<count {
                let alpha = UInt32([1, 100, 254, 255].randomElement(using: &generator) ?? 255)
                let color = UInt32.random(in: 0...0xFF_FFFF, using: &generator) | alpha << 24
                let weight = UInt32.random(in: 1...14, using: &generator)
                table.add(color, weight: weight)
                weights += UInt64(weight)
                for channel in 0..<4 { sums[channel] += UInt64(weight * (color >> UInt32(8 * channel) & 255)) }
            }
            let means = table.means
            #expect(means.reduce(0) { $0 + $1.weight } == weights)
            #expect(count > 100 || means.count == count)
            for channel in 0..<4 {
                let sum = means.reduce(0) { $0 + $1.weight * UInt64($1.color >> UInt32(8 * channel) & 255) }
                // Each mean is rounded.
                #expect(sum.distance(to: sums[channel]).magnitude <= weights / 2)
            }
            #expect(means.allSatisfy { $0.color >> 24 != 0 })
        }
    }
}
