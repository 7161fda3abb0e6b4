import TestSupport
import Testing

@testable import TexelText

/// Where lines are broken.
@Suite(.enabled(if: TextFontTests.hasFont)) struct LineBreakTests {
    private let font: TextFont

    init() throws { font = try TextFont(nil, size: 20) }

    private func lines(_ text: String, width: Int?) -> [String] {
        TextLayout.lines(of: text, width: width, font).map(String.init)
    }

    private static func words(_ text: String) -> [Substring] { text.split(separator: " ") }

    /// Every line fits, no word is lost, and the first word of the next line would not have fitted.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [1, 3]) func wordsFit(seed: UInt64, spaces: Int) {
        var generator = SeededGenerator(seed: seed)
        let words = (0..<40).map { _ in
            String(
                (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                    "abcdfijlmwAVT.é".randomElement(using: &generator)!
                })
        }
        let text = words.reduce("") {
            $0 + $1 + String(repeating: " ", count: spaces)
        }
        let widest = words.map { font.width(of: $0[...]) }.max() ?? 0
        for width in [widest, widest + 1, 2 * widest, 5 * widest, 100_000] {
            let lines = lines(text, width: width)
            #expect(lines.flatMap(Self.words).map(String.init) == words)
            for (line, next) in zip(lines, lines.dropFirst()) {
                #expect(font.width(of: line[...]) <= width)
                let longer = line + String(repeating: " ", count: spaces) + Self.words(next)[0]
                #expect(font.width(of: longer[...]) > width)
            }
            if width == 100_000 { #expect(lines.count == 1) }
        }
    }

    /// A word that is wider than a line is broken between characters, and accents stay with their letters.
    @Test func longWordsAreBroken() {
        let word = String(repeating: "e\u{301}W\u{308}lli", count: 9)
        let widest = word.map { font.width(of: "\($0)"[...]) }.max() ?? 0
        for width in widest...(3 * widest) {
            let lines = lines("\(word) \(word)", width: width)
            #expect(lines.joined().filter { $0 != " " } == word + word)
            #expect(lines.allSatisfy { !$0.isEmpty && font.width(of: $0[...]) <= width })
            #expect(lines.allSatisfy { $0.unicodeScalars.first?.properties.generalCategory != .nonspacingMark })
        }
        // A character is never divided, even if it does not fit.
        #expect(lines("WW\nW", width: 1) == ["W", "W", "W"])
    }

    @Test func lineBreaksStay() {
        #expect(lines("a\nb\r\n\n c ", width: nil) == ["a", "b", "", " c "])
        #expect(lines("a\nb\r\n\n c ", width: 500) == ["a", "b", "", " c"])
        #expect(lines("   ", width: 5) == [""])
        #expect(lines("aa\u{A0}aa aa", width: font.width(of: "aa\u{A0}aa")) == ["aa\u{A0}aa", "aa"])
    }

    /// Many spaces or one endless word take no more time for each character.
    @Test func longTexts() {
        let count = 60_000
        #expect(lines(String(repeating: " ", count: count) + "a", width: 400).last?.hasSuffix("a") == true)
        let characters = lines(String(repeating: "x", count: count), width: 100_000).map(\.count)
        #expect(characters.reduce(0, +) == count)
    }
}
