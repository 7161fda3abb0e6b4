import TestSupport
import Testing
import TexelOperations

@testable import TexelText

#if Shaping
    /// The glyphs of several scripts, in a font of boxes.
    @Suite struct ShapingTests {
        /// Returns the characters whose glyphs are drawn, from left to right.
        private func drawn(_ text: String, in characters: String, script: String? = nil) throws -> String {
            let characters = Array(characters.unicodeScalars)
            let font = try font(characters.map { TestFont.Glyph($0) }, script: script)
            let scalars = font.line(text[...]).glyphs.map { glyph in
                glyph.index == 0 ? "\u{FFFD}" : characters[Int(glyph.index) - 1]
            }
            #expect(font.warnings.isEmpty)
            return String(String.UnicodeScalarView(scalars))
        }

        private func font(_ glyphs: [TestFont.Glyph], script: String? = nil) throws -> TextFont {
            let directory = try TemporaryDirectory()
            return try TextFont(try directory.add("test.ttf", try TestFont(glyphs, script: script).bytes()), size: 100)
        }

        // MARK: Letters

        /// Arabic letters take the form for their place in the word, also across a change of fonts.
        @Test func arabicLettersJoin() throws {
            let forms = "\u{628}\u{FE8F}\u{FE90}\u{FE91}\u{FE92} "
            #expect(try drawn("ببب ب", in: forms) == "\u{FE8F} \u{FE90}\u{FE92}\u{FE91}")
            // A zero-width non-joiner separates.
            #expect(try drawn("ب\u{200C}ب", in: forms) == "\u{FE8F}\u{FE8F}")
        }

        /// The vowel sign I is written before the consonant that it follows.
        @Test func devanagariIsReordered() throws {
            #expect(try drawn("कि", in: "कि", script: "dev2") == "ि" + "क")
        }

        /// The vowel sign AM is drawn in two parts, of which the first is below a tone mark.
        @Test func thaiVowelsAreDivided() throws {
            let text = "ก\u{E48}\u{E33}"
            #expect(
                try drawn(text, in: "ก\u{E48}\u{E4D}\u{E32}\u{E33}").unicodeScalars.map(\.value) == [
                    0xE01, 0xE4D, 0xE48, 0xE32,
                ])
        }

        /// A mark stands above the middle of its letter, and takes no room.
        @Test func marksStandAboveTheirLetters() throws {
            let font = try font([
                TestFont.Glyph("x", advance: 500, box: (0, 0, 500, 500)),
                TestFont.Glyph("\u{301}", advance: 300, box: (0, 600, 100, 700)),
            ])
            let line = font.line("x\u{301}x")
            #expect(line.width == font.width(of: "xx"))
            var boxes: [(left: Int, right: Int, top: Int)] = []
            font.forEachGlyph(of: line) { glyph, x, y in boxes.append((x, x + glyph.width, y)) }
            try #require(boxes.count == 3)
            #expect(abs(boxes[1].left + boxes[1].right - boxes[0].left - boxes[0].right) <= 2, "\(boxes)")
            #expect(boxes[1].top < boxes[0].top)
        }

        /// A letter with a mark is the font's own letter for both.
        @Test func lettersAreComposed() throws {
            #expect(try drawn("e\u{301}a", in: "eé\u{301}a") == "éa")
        }

        // MARK: Directions

        @Test(arguments: [
            ("אבג", "גבא"), ("abc", "abc"),
            // Numbers run from left to right everywhere.
            ("אב 12", "12 בא"), ("a אב 12 b", "a 12 בא b"),
            // The first letter decides where the parts stand.
            ("ab אב", "ab בא"), ("אב ab", "ab בא"), ("אב, ab.", ".ab ,בא"),
            // Brackets are mirrored.
            ("א(ב)", "(ב)א"), ("\u{200F}a (b)", "a (b)"),
        ])
        func mixedDirectionsAreOrdered(text: String, expected: String) throws {
            #expect(try drawn(text, in: "abcאבג12 .,()") == expected)
        }

        @Test func linesKnowTheirDirection() throws {
            let font = try font("aא ".unicodeScalars.map { TestFont.Glyph($0) })
            #expect(!font.line("a א").isRightToLeft && font.line(" א a").isRightToLeft && !font.line("").isRightToLeft)
        }

        /// Each line of a broken paragraph is ordered by itself; its first words stand on the right.
        @Test func brokenLinesAreOrdered() throws {
            let characters = Array("אבג ".unicodeScalars)
            let font = try font(characters.map { TestFont.Glyph($0, advance: 500, box: (0, 0, 500, 500)) })
            let lines = TextLayout.lines(of: "אא בב גג", width: 250, font).map { line in
                font.line(line.characters, of: line.paragraph).glyphs.map { characters[Int($0.index) - 1] }
            }
            #expect(lines == [Array("בב אא".unicodeScalars), Array("גג".unicodeScalars)])
        }
    }
#endif

/// The warnings about a text.
@Suite(.enabled(if: TextFontTests.hasFont)) struct TextWarningTests {
    /// Characters without a glyph are named once, in their order; letters that others have are not.
    @Test func missingCharactersAreNamed() throws {
        let (image, warnings) = try TextOptions("a\u{F1234}b\u{E000}\u{F1234}\u{200D} \u{3000}").drawn()
        #expect(image.pixels.contains { $0 != 0 })
        #expect(warnings == [.missingCharacters(["\u{F1234}", "\u{E000}"])])
        #expect(
            warnings.map(\.description) == ["no installed font has U+F1234, U+E000; boxes were drawn instead"])
        #expect(try TextOptions("Plain text, ünï, “…”\u{FE0F}\u{200B}\t").drawn().warnings.isEmpty)
    }

    @Test func longListsAreShortened() {
        let characters = (0..<10).compactMap { Unicode.Scalar(0x13000 + $0) }
        let text = TextWarning.missingCharacters(characters).description
        #expect(text.hasPrefix("no installed font has U+13000 (𓀀), U+13001 ("))
        #expect(text.hasSuffix(" and 2 more; boxes were drawn instead"))
    }

    /// Results of images have the warnings of their texts.
    @Test func operationsKeepWarnings() throws {
        let operation = try PixelOperation.text(TextOptions("\u{F1234}"))
        #expect(operation.value.warnings == ["no installed font has U+F1234; boxes were drawn instead"])
        #expect(try PixelOperation.text(TextOptions("a")).value.warnings.isEmpty)
    }

    /// Without the libraries, text that needs them is drawn with a warning, and other text without.
    @Test func textWithoutLibraries() throws {
        let shaper = GlyphAfterGlyph(limitation: "no library")
        for (text, isWrong) in [
            ("Latin, кириллица, 日本", false), ("سلام", true), ("שלום", true), ("हि", true), ("x\u{301}", true),
        ] {
            let font = try TextFont(nil, size: 20, shaper)
            #expect(font.width(of: text[...]) > 0)
            let isReported = font.warnings.contains(.unshaped(reason: "no library"))
            #expect(isReported == isWrong, "\(text)")
        }
        #expect(
            TextWarning.unshaped(reason: "no library").description
                == "the text was drawn letter by letter, which is wrong in its script: no library")
    }
}
