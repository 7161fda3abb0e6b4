import TestSupport
import Testing

@testable import TexelPixels

/// What holds of every picture that got a palette.
@Suite struct QuantizedTests {
    private static let kinds: [(name: String, picture: @Sendable () throws -> PixelBuffer)] = [
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
            let picture = try kind.picture()
            let result = try #require(try picture.quantized(PaletteOptions(colors: colors)))
            #expect(Set(result.pixels).count <= colors, "\(kind.name)")
            #expect(result.size == picture.size)
            let straight = try picture.unpremultiplied()
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
            let picture = try PixelBuffer.make(width: 64, height: 64, alphaMode: .straight) { x, y in
                let index = UInt32(x * 64 + y) % count
                return index << 24 | index &* 0x35_7911 & 0xFF_FFFF
            }
            #expect(try picture.quantized(PaletteOptions(colors: max(2, Int(count)))) == picture)
        }
    }

    /// A gradient beside areas of one colour each, of which there are more than the palette has room for.
    @Test func flatAreasStayFlat() throws {
        let picture = try PixelBuffer.make(width: 160, height: 120) { x, y in
            if x < 80 { return 0xFF00_0000 | UInt32(x * 3) << 16 | UInt32(y * 2) << 8 | UInt32(x + y) }
            let (column, row) = (UInt32(x - 80) / 20, UInt32(y) / 20)
            return 0xFF00_0000 | (column * 60 + 15) << 16 | (row * 40 + 5) << 8 | (column * row * 9)
        }
        let result = try #require(try picture.quantized(PaletteOptions(colors: 16)))
        for column in 0..<4 {
            for row in 0..<6 {
                // The first pixels of an area may still belong to what lies before it.
                let pixels = (1..<19).flatMap { y in
                    (1..<19).map { x in result.pixels[(row * 20 + y) * 160 + 80 + column * 20 + x] }
                }
                #expect(Set(pixels).count == 1, "\(column), \(row)")
            }
        }
    }

    /// What the palette has is not dithered away.
    @Test func frequentColorsStayExact() throws {
        let picture = try PixelBuffer.make(width: 200, height: 100) { x, y in
            switch y {
            case 0..<40: 0xFFFF_FFFF
            case 40..<60: 0xFF00_0000
            default: 0xFF00_0000 | UInt32(x) << 16 | UInt32(y * 2) << 8 | UInt32((x * y) % 256)
            }
        }
        let result = try #require(try picture.quantized(PaletteOptions(colors: 64)))
        let (before, after) = (picture.pixels, result.pixels)
        #expect(before[..<(60 * 200)] == after[..<(60 * 200)])
    }

    @Test func ditheringKeepsTheMeanOfAGradient() throws {
        let picture = try PixelBuffer.make(width: 256, height: 64) { x, y in
            0xFF00_0000 | UInt32(x) << 16 | UInt32((x + y) % 256) << 8 | UInt32(255 - x)
        }
        let result = try #require(try picture.quantized(PaletteOptions(colors: 32)))
        for shift in [0, 8, 16] as [UInt32] {
            #expect(abs(result.mean(ofChannelAt: shift) - picture.mean(ofChannelAt: shift)) < 3)
        }
        #expect(meanDifference(picture, result) < 16)
    }

    @Test func greysStayGrey() throws {
        let picture = try PixelBuffer.make(width: 256, height: 20) { x, y in
            0xFF00_0000 | UInt32((x + y * 7) % 256) * 0x01_0101
        }
        let result = try #require(try picture.quantized(PaletteOptions(colors: 9)))
        #expect(result.isGray)
    }

    @Test func qualityTakesAsManyColorsAsItNeeds() throws {
        let picture = try PixelBuffer.make(width: 200, height: 150) { x, y in
            0xFF00_0000 | UInt32(x) << 16 | UInt32(y) << 8 | UInt32((x + y) / 2)
        }
        var last = 0
        for quality in [1, 30, 60, 80] {
            let result = try #require(try picture.quantized(PaletteOptions(quality: quality)))
            let count = Set(result.pixels).count
            #expect(count >= last, "\(quality)")
            last = count
        }
        #expect(try PixelBuffer.random(width: 200, height: 200).quantized(PaletteOptions(quality: 100)) == nil)
        #expect(try picture.quantized(PaletteOptions(colors: 2, quality: 90)) == nil)
    }

    @Test func theSameEveryTime() throws {
        for kind in Self.kinds {
            let picture = try kind.picture()
            let first = try picture.quantized(PaletteOptions(colors: 20))
            #expect(try picture.quantized(PaletteOptions(colors: 20)) == first)
        }
    }

    @Test func partsOfPicturesAreLookedAtAlone() throws {
        let picture = try PixelBuffer.random(width: 50, height: 40)
        let part = try picture.cropped(to: PixelRectangle(x: 9, y: 3, width: 20, height: 11))
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
            let search = NearestColor(points)
            for _ in 0..<300 {
                let point = PerceptualPoint.point(UInt32.random(in: 0 ... .max, using: &generator))
                let found = search.find(point, from: Int.random(in: 0..<count, using: &generator))
                let nearest = points.map { PerceptualPoint.distance($0, point) }.min()
                #expect(found.distance == nearest)
            }
        }
    }
}
