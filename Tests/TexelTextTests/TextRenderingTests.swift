import TestSupport
import Testing
import TexelCore
import TexelOperations
import TexelPixels

@testable import TexelText

/// Images of texts.
@Suite(.enabled(if: TextFontTests.hasFont)) struct TextRenderingTests {
    private static let color = PixelColor(red: 250, green: 120, blue: 3)

    /// The columns that have any coverage, in some rows.
    private func columns(_ image: PixelBuffer, rows: Range<Int>) -> ClosedRange<Int>? {
        let covered = (0..<image.width).filter { x in rows.contains { image[x, $0] >> 24 > 64 } }
        guard let first = covered.first, let last = covered.last else { return nil }
        return first...last
    }

    // MARK: Colours

    /// Letters have the colour, with the colour's alpha where they cover a pixel, and nothing is drawn elsewhere.
    @Test(arguments: [255, 200, 128, 7, 1] as [UInt8]) func colorsAreExact(alpha: UInt8) throws {
        var color = Self.color
        color.alpha = alpha
        let image = try TextOptions("HIl", size: 60, color: color).rendered()
        #expect(image.alphaMode == .straight && image.colorSpace == .sRGB)
        let pixels = image.pixels
        #expect(pixels.contains(color.pixel) && pixels.contains(0))
        for pixel in Set(pixels) where pixel >> 24 > 0 {
            #expect(pixel & 0xFF_FFFF == color.pixel & 0xFF_FFFF && pixel >> 24 <= UInt32(alpha))
        }
        #expect(pixels.allSatisfy { $0 >> 24 > 0 || $0 == 0 })
    }

    @Test func textWithoutInkIsTransparent() throws {
        for text in [" ", "\n\n", "\u{200B}"] {
            let image = try TextOptions(text, outline: TextOptions.Outline(width: 3)).rendered()
            #expect(image.pixels.allSatisfy { $0 == 0 })
        }
    }

    @Test func backgroundsSurroundTheText() throws {
        let background = PixelColor(red: 1, green: 2, blue: 3, alpha: 90)
        let plain = try TextOptions("Tag", size: 40, color: Self.color).rendered()
        for padding in [nil, 0, 1, 25] {
            let image = try TextOptions(
                "Tag", size: 40, color: Self.color, background: background, padding: padding
            ).rendered()
            let margin = padding ?? 10
            #expect(image.size == PixelSize(width: plain.width + 2 * margin, height: plain.height + 2 * margin))
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let (column, row) = (x - margin, y - margin)
                    let isInside =
                        (0..<plain.width).contains(column) && (0..<plain.height).contains(row)
                    let ink = isInside ? plain[column, row] : 0
                    if ink == 0 { #expect(image[x, y] == background.pixel) }
                    if ink >> 24 == 255 { #expect(image[x, y] == ink) }
                }
            }
        }
    }

    // MARK: Outlines

    /// The outline surrounds the letters at its width, and is below them.
    @Test(arguments: [1, 2.5, 6, 11]) func outlinesEncloseTheFill(width: Double) throws {
        let red = PixelColor(red: 255, green: 0, blue: 0)
        let plain = try TextOptions("Ae8%", size: 50).rendered()
        let outlined = try TextOptions("Ae8%", size: 50, outline: TextOptions.Outline(width: width, color: red))
            .rendered()
        let margin = Int(width.rounded(.up))
        #expect(outlined.size == PixelSize(width: plain.width + 2 * margin, height: plain.height + 2 * margin))
        let reach = margin + 2
        // The fill's alpha, with a border of `reach` around the outlined image.
        let stride = outlined.width + 2 * reach
        var fill = [UInt8](repeating: 0, count: stride * (outlined.height + 2 * reach))
        for y in 0..<plain.height {
            for x in 0..<plain.width {
                fill[(y + margin + reach) * stride + x + margin + reach] = UInt8(plain[x, y] >> 24)
            }
        }
        for y in 0..<outlined.height {
            for x in 0..<outlined.width {
                let pixel = outlined[x, y]
                var nearest = Double.infinity
                var isNearInk = false
                for dy in -reach...reach {
                    for dx in -reach...reach {
                        let alpha = fill[(y + reach + dy) * stride + x + reach + dx]
                        if alpha > 0 { isNearInk = true }
                        if alpha == 255 { nearest = min(nearest, Double(dx * dx + dy * dy).squareRoot()) }
                    }
                }
                if nearest == 0 {
                    #expect(pixel == PixelColor.white.pixel)
                } else if nearest <= width - 1 {
                    #expect(pixel >> 24 >= 254, "\(x), \(y): \(nearest)")
                } else if !isNearInk {
                    #expect(pixel == 0, "\(x), \(y)")
                }
            }
        }
    }

    /// A thick outline fills the holes of letters.
    @Test func thickOutlinesHaveNoHoles() throws {
        let image = try TextOptions("o", size: 40, outline: TextOptions.Outline(width: 15)).rendered()
        for y in 0..<image.height {
            let covered = (0..<image.width).filter { image[$0, y] >> 24 == 255 }
            guard let first = covered.first, let last = covered.last else { continue }
            #expect(covered.count == last - first + 1, "row \(y)")
        }
    }

    // MARK: Layout

    @Test(arguments: 1...12) func wrappedTextIsAsWideAsAsked(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = String((0..<60).map { _ in "jfWiAV lé ".randomElement(using: &generator)! })
        let width = Int.random(in: 25...300, using: &generator)
        let whole = try TextOptions(text, size: 20).rendered()
        let image = try TextOptions(text, size: 20, width: width).rendered()
        #expect(image.width <= width && image.width <= whole.width && image.height >= whole.height)
    }

    @Test func alignmentMovesShortLines() throws {
        func lastLine(_ alignment: TextAlignment) throws -> (short: ClosedRange<Int>, long: ClosedRange<Int>) {
            let image = try TextOptions("HHHHHH\nHH", size: 30, alignment: alignment).rendered()
            let half = image.height / 2
            return (
                try #require(columns(image, rows: half..<image.height)), try #require(columns(image, rows: 0..<half))
            )
        }
        let (left, center, right) = (try lastLine(.left), try lastLine(.center), try lastLine(.right))
        #expect(left.short.lowerBound == left.long.lowerBound && left.short.upperBound < left.long.upperBound)
        #expect(abs(right.short.upperBound - right.long.upperBound) <= 1)
        let middles = [center.short, center.long].map { $0.lowerBound + $0.upperBound }
        #expect(abs(middles[0] - middles[1]) <= 2, "\(center)")
    }

    @Test func lineSpacingScalesTheLineDistance() throws {
        func height(_ text: String, _ spacing: Double) throws -> Int {
            try TextOptions(text, size: 30, lineSpacing: spacing).rendered().height
        }
        let one = try height("x", 1)
        #expect(try height("x\nx", 1) == 2 * one && height("x\nx\nx", 2) == 5 * one)
        #expect(try height("x", 2) == one && height("x\nx", 0.1) >= one)
    }

    /// Letters that are higher than their line are not cut off.
    @Test func highLettersFit() throws {
        let image = try TextOptions("Z\u{30C}\u{30C}\u{30C}gĴ⨌", size: 40).rendered()
        let rows = [0, image.height - 1].map { y in (0..<image.width).map { image[$0, y] >> 24 }.max() ?? 0 }
        #expect(rows.allSatisfy { $0 < 255 })
    }

    @Test func lineBreaksOfAllSystems() throws {
        let image = try TextOptions("a\nb").rendered()
        #expect(try TextOptions("a\r\nb").rendered() == image)
        #expect(try TextOptions("a\tb").rendered() == TextOptions("a b").rendered())
    }

    // MARK: Limits

    @Test(arguments: [
        TextOptions(""), TextOptions("a", size: 0), TextOptions("a", size: 10_001), TextOptions("a", width: 0),
        TextOptions("a", outline: .init(width: 0)), TextOptions("a", outline: .init(width: .nan)),
        TextOptions("a", outline: .init(width: 1001)), TextOptions("a", lineSpacing: 0),
        TextOptions("a", lineSpacing: .infinity), TextOptions("a", padding: -1), TextOptions("a", padding: 10_001),
        TextOptions(String(repeating: "a", count: 65_537), size: 1),
        // Any number of accents takes one place, but not one glyph's time.
        TextOptions("a" + String(repeating: "\u{301}", count: 60_000), size: 200),
    ])
    func valuesOutOfRange(options: TextOptions) throws {
        let error = try #require(throws: TexelError.self) { try options.rendered() }
        guard error.kind == .invalidParameter else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func sizesAreLimited() throws {
        let error = try #require(throws: TexelError.self) { try TextOptions("WWW", size: 9000).rendered() }
        #expect(error.kind == .resultTooLarge)
        let numbers = "\(error)".split { !$0.isNumber }.compactMap { Int($0) }
        let size = PixelSize(width: try #require(numbers.first), height: try #require(numbers.last))
        #expect(size.width > 9000 && size.height >= 9000)
        #expect(error == .textTooLarge(size))
        #expect(throws: TexelError.self) { try TextOptions("a\na", size: 4000, lineSpacing: 10).rendered() }
        #expect(try TextOptions("i", size: 2000).rendered().height >= 2000)
    }

    // MARK: Use

    @Test func operationsAreOverlaysOfTheText() throws {
        let text = TextOptions("Texel", size: 20, outline: TextOptions.Outline(width: 1.5))
        let operation = try PixelOperation.text(
            text, gravity: .southeast, offsetX: 3, offsetY: 4, opacity: 0.5, blendMode: .screen, tileSpacing: 9)
        let overlay = OverlayOptions(
            try OverlayImage(try text.rendered()), gravity: .southeast, offsetX: 3, offsetY: 4, opacity: 0.5,
            blendMode: .screen, tileSpacing: 9)
        #expect(operation == .overlay(overlay))
        #expect(try PixelOperation.text(TextOptions("Texel")) != PixelOperation.text(TextOptions("texel")))
    }

    @Test func concurrentlyDrawnTextsAreEqual() async throws {
        let text = TextOptions("Ünï 日本 code", size: 24, outline: TextOptions.Outline(width: 2))
        let expected = try text.rendered()
        try await withThrowingTaskGroup(of: PixelBuffer.self) { group in
            for _ in 0..<8 { group.addTask { try text.rendered() } }
            for try await image in group { #expect(image == expected) }
        }
    }
}
