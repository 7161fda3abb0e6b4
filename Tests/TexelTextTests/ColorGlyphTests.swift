import TestSupport
import Testing
import TexelPixels

@testable import TexelText

/// Glyphs that have colours of their own.
@Suite struct ColorGlyphTests {
    private let directory: TemporaryDirectory
    private static let red = PixelColor(red: 255, green: 0, blue: 0)
    private static let blue = PixelColor(red: 0, green: 0, blue: 255, alpha: 128)
    private static let green = PixelColor(red: 0, green: 200, blue: 0)

    init() throws { directory = try TemporaryDirectory() }

    private func drawn(_ text: String, _ font: TestFont, size: Int = 100, color: PixelColor = .white) throws
        -> PixelBuffer
    {
        let path = try directory.add("test.ttf", try font.bytes())
        let (image, warnings) = try TextOptions(text, font: path, size: size, color: color).drawn()
        #expect(warnings.isEmpty)
        return image
    }

    /// A red square, a half-transparent blue one to its right, and the text's colour above both.
    private static let layered = TestFont(
        [
            TestFont.Glyph("😀", advance: 1000, box: nil, layers: [(2, 0), (3, 1), (4, 0xFFFF)]),
            TestFont.Glyph(nil, box: (0, 0, 500, 400)), TestFont.Glyph(nil, box: (500, 0, 1000, 400)),
            TestFont.Glyph(nil, box: (0, 400, 1000, 800)), TestFont.Glyph("a", advance: 1000, box: (0, 0, 1000, 800)),
        ], palette: [red, blue])

    @Test func layersHaveTheirColors() throws {
        let image = try drawn("😀a", Self.layered, color: Self.green)
        #expect(image.size == PixelSize(width: 200, height: 100))
        // The baseline is in row 80.
        #expect(image[25, 60] == Self.red.pixel)
        #expect(image[75, 60] == Self.blue.pixel)
        #expect(image[25, 20] == Self.green.pixel && image[75, 20] == Self.green.pixel)
        #expect(image[150, 20] == Self.green.pixel && image[150, 60] == Self.green.pixel)
        #expect(image[25, 90] == 0)
        // The alpha of the text's colour is that of all layers.
        var half = Self.green
        half.alpha = 128
        let faint = try drawn("😀", Self.layered, color: half)
        #expect(faint[25, 60] == 0x80FF_0000 && faint[25, 20] >> 24 == 128 && faint[75, 60] >> 24 == 64)
    }

    @Test func outlinesSurroundLayers() throws {
        let path = try directory.add("test.ttf", try Self.layered.bytes())
        let image = try TextOptions("😀", font: path, size: 100, outline: .init(width: 5)).rendered()
        #expect(image.size == PixelSize(width: 110, height: 110))
        #expect(image[2, 60] == PixelColor.black.pixel && image[107, 60] == PixelColor.black.pixel)
        #expect(image[30, 65] == Self.red.pixel)
    }

    private static let bitmaps = TestFont([
        TestFont.Glyph("😀", advance: 1000, bitmap: red), TestFont.Glyph("😁", advance: 1000, bitmap: blue),
        // As fonts of emoji have them, for the names of keys.
        TestFont.Glyph("1", advance: 0),
    ])

    /// Bitmaps are scaled to the size of the text, from a baseline 16 of 20 pixels below their upper edge.
    @Test(arguments: [5, 20, 33, 100]) func bitmapsAreScaled(size: Int) throws {
        let image = try drawn("😀😁", Self.bitmaps, size: size)
        #expect(image.width == 2 * size && abs(image.height - size) <= 1)
        let middle = image.height / 2
        #expect(image[size / 2, middle] == Self.red.pixel)
        #expect(image[size + size / 2, middle] == Self.blue.pixel)
        let covered = image.pixels.count { $0 >> 24 > 0 }
        #expect(abs(covered - 2 * size * size) <= 2 * size)
    }

    /// Empty glyphs of colour fonts are not used, if another font has the character.
    @Test(.enabled(if: TextFontTests.hasFont)) func emptyGlyphsAreNotUsed() throws {
        let image = try drawn("1", Self.bitmaps, size: 100)
        #expect(image.pixels.contains(PixelColor.white.pixel))
    }
}
