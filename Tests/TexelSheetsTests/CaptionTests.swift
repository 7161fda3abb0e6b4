import TestSupport
import Testing
import TexelCore
import TexelPixels
import TexelText

@testable import TexelSheets

/// Captions. Drawing needs a font; those tests are skipped without one.
@Suite struct CaptionTests {
    private let facts = ImageFacts(size: PixelSize(width: 640, height: 480), byteCount: 41_234, format: .jpeg)

    static let hasFont = (try? TextFont(nil, size: 14)) != nil

    // MARK: Templates

    @Test func placeholdersAreFilledIn() throws {
        let template = try CaptionTemplate("{name}: {width}×{height}\\n{bytes} {format}\n{path}")
        #expect(template.lineCount == 3)
        let lines = template.lines(name: "a.jpg", path: "b/a.jpg", facts: facts)
        #expect(lines == ["a.jpg: 640×480", "41.2 KB JPEG", "b/a.jpg"])
        #expect(template.lines(name: "a.jpg", path: "b/a.jpg", facts: nil) == ["b/a.jpg"])
    }

    /// Placeholders in a name are not replaced.
    @Test func namesAreNoTemplates() throws {
        #expect(try CaptionTemplate("{name}").lines(name: "{width}.png", path: "", facts: facts) == ["{width}.png"])
    }

    @Test(arguments: ["{size}", "{name", "{}", "a{ name}"]) func otherPlaceholdersAreRefused(text: String) {
        #expect(throws: TexelError.self) { try CaptionTemplate(text) }
    }

    @Test func bytesAreReadable() {
        let counts = [0, 999, 1000, 41_234, 99_949, 99_950, 999_499, 999_500, 3_600_000, 5_000_000_000]
        #expect(
            counts.map(ByteCountText.text) == [
                "0 B", "999 B", "1.0 KB", "41.2 KB", "99.9 KB", "100 KB", "999 KB", "1.0 MB", "3.6 MB", "5.0 GB",
            ])
    }

    // MARK: Fonts

    private func font() throws -> TextFont { try TextFont(nil, size: 14) }

    @Test(.enabled(if: hasFont)) func longNamesLoseTheirMiddle() throws {
        let font = try font()
        let name = "a very long name of a picture that does not fit anywhere at all.jpeg"
        for width in stride(from: 90, to: font.width(of: name[...]), by: 17) {
            let text = font.shortened(name, to: width)
            #expect(font.width(of: text[...]) <= width)
            #expect(text.hasPrefix("a") && text.hasSuffix(".jpeg") && text.count { $0 == "…" } == 1, "\(text)")
            // One more character would not have fitted.
            #expect(font.width(of: text[...]) > width - 40, "\(text)")
        }
        #expect(font.shortened(name, to: 10_000) == name)
        #expect(font.width(of: font.shortened(name, to: 3)[...]) <= 3)
    }

    /// Any file name can be drawn, and drawing only adds ink.
    @Test(.enabled(if: hasFont)) func everyCharacterCanBeDrawn() throws {
        let font = try font()
        var generator = SeededGenerator(seed: 5)
        let scalars = (0..<400).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &generator))
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        var canvas = try SheetCanvas(PixelSize(width: 300, height: 40), background: .white)
        for line in [String(text), "Zürich 日本語 🎉 مرحبا", "\u{301}\u{301}\u{301}", ""] {
            canvas.draw(line, x: 5, y: 5, width: 290, font, .black)
        }
        let page = canvas.image()
        #expect(page.isOpaque && page.pixels.contains { $0 & 0xFF < 0x40 })
        #expect(page.pixels.allSatisfy { $0 & 0xFF == $0 >> 8 & 0xFF })
    }
}
