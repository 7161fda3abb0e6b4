import TestSupport
import Testing

import TexelCore
@testable import TexelText

/// Lines of text in a font. Tests that need a font are skipped without one.
@Suite struct TextFontTests {
    static let hasFont = (try? TextFont(nil, size: 14)) != nil

    @Test(.enabled(if: hasFont)) func accentsAndHintsTakeNoRoom() throws {
        let font = try TextFont(nil, size: 14)
        #expect(font.width(of: "e\u{301}") == font.width(of: "e"))
        #expect(font.width(of: "a\u{200D}\u{FE0F}b") == font.width(of: "ab"))
        #expect(font.width(of: "a\nb") == font.width(of: "a\u{FFFD}b"))
    }

    @Test(.enabled(if: hasFont)) func lettersStandOnOneLine() throws {
        let font = try TextFont(nil, size: 14)
        var bottoms: [Int] = []
        font.forEachGlyph(of: font.line("Hnmx")) { glyph, _, y in bottoms.append(y + glyph.height) }
        #expect(bottoms == [font.ascent, font.ascent, font.ascent, font.ascent])
    }

    /// All bitmaps are in the width that a line is said to have, also those of letters with overhanging parts.
    @Test(.enabled(if: hasFont), arguments: [7, 14, 61]) func lettersAreInTheirLine(size: Int) throws {
        let font = try TextFont(nil, size: size)
        for text in ["jjj", "fff", "AVAVA", "(j)", "\u{301}x\u{301}"] {
            let line = font.line(text[...])
            #expect(line.width == font.width(of: text[...]))
            font.forEachGlyph(of: line) { glyph, x, _ in
                // Glyphs begin at quarters of a pixel.
                #expect(x >= -1 && x + glyph.width <= line.width + 1, "\(text) \(x) \(glyph.width) \(line.width)")
            }
        }
    }

    /// Text of twice the size is twice as wide, because distances between letters are not rounded.
    @Test(.enabled(if: hasFont)) func distancesScaleWithTheSize() throws {
        let text = "The quick brown fox jumps over the lazy dog"
        let widths = try [10, 20, 40].map { try TextFont(nil, size: $0).width(of: text[...]) }
        #expect(abs(widths[1] - 2 * widths[0]) <= 4 && abs(widths[2] - 4 * widths[0]) <= 8, "\(widths)")
    }

    /// The letters of a font with a kerning table move together.
    @Test(.enabled(if: hasFont)) func kerningMovesLettersTogether() throws {
        let files = FontFinder.fonts(for: "DejaVu Sans").filter { $0.path.hasSuffix("/DejaVuSans.ttf") }
        guard let file = files.first else { return }
        let font = try TextFont(file.path, size: 100)
        #expect(font.width(of: "AVAV") < 2 * font.width(of: "A") + 2 * font.width(of: "V") - 10)
    }

    @Test func filesThatAreNoFontsAreNamed() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.add("no.ttf", [1, 2, 3])
        #expect(throws: TexelError.unusableFont(path)) { try TextFont(path, size: 14) }
        let missing = directory("missing.ttf")
        #expect(throws: TexelError.unusableFont(missing)) { try TextFont(missing, size: 14) }
    }

    @Test func familiesThatAreNotInstalledAreNamed() {
        #expect(throws: TexelError.unknownFontFamily("No Such Family 7")) { try TextFont("No Such Family 7", size: 14) }
    }
}
