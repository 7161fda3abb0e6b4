import TestSupport
import Testing

@testable import TexelText

/// Where lines are broken.
@Suite(.enabled(if: TextFontTests.hasFont)) struct LineBreakTests {
    private let font: TextFont

    init() throws { font = try TextFont(nil, size: 20) }

    private func lines(_ text: String, width: Int?) -> [String] {
        TextLayout.lines(of: text, width: width, font).map { line in
            String(String.UnicodeScalarView(line.paragraph.characters[line.characters].compactMap(Unicode.Scalar.init)))
        }
    }

    private static func words(_ text: String) -> [Substring] { text.split(separator: " ") }

    /// Every line fits, no word is lost, and the first word of the next line would not have fitted.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [1, 3]) func linesFitAndKeepAllWords(seed: UInt64, spaces: Int) {
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

    /// Where a line can end without a space, by the rules of UAX #14.
    @Test(arguments: [
        ("日本語のテキスト", ["日", "本", "語", "の", "テ", "キ", "ス", "ト"]),
        // Punctuation and small kana do not begin a line, opening brackets do not end one.
        ("「日本。」ちょっと、", ["「日", "本。」", "ち" + "ょ" + "っ", "と、"]),
        ("한국어", ["한", "국", "어"]), ("日abc本", ["日", "abc", "本"]),
        ("well-known", ["well-", "known"]), ("a -x 5-3", ["a ", "-x ", "5-3"]), ("a\u{2014}b", ["a", "\u{2014}", "b"]),
        ("ab\u{200B}cd", ["ab\u{200B}", "cd"]), ("a\u{2060}b/c", ["a\u{2060}b/c"]), ("🎉👨‍👩‍👧🇨🇭", ["🎉", "👨‍👩‍👧", "🇨🇭"]),
        ("e.g. \"a\" (b)", ["e.g. ", "\"a\" ", "(b)"]), ("ภาษาไทย", ["ภาษาไทย"]),
    ])
    func linesBreakByTheRulesOfUAX14(text: String, parts: [String]) {
        let classes = text.map { (text: String($0), class: LineBreakClass(of: Array($0.unicodeScalars))) }
        var found = [classes.first?.text ?? ""]
        for index in classes.indices.dropFirst() {
            if LineBreakClass.canBreak(before: index, of: classes.map(\.class)) {
                found.append(classes[index].text)
            } else {
                found[found.count - 1] += classes[index].text
            }
        }
        #expect(found == parts)
    }

    /// Many spaces or one endless word take no more time for each character.
    @Test func longTextsAreBrokenWithoutLoss() {
        let count = 60_000
        #expect(lines(String(repeating: " ", count: count) + "a", width: 400).last?.hasSuffix("a") == true)
        let characters = lines(String(repeating: "x", count: count), width: 100_000).map(\.count)
        #expect(characters.reduce(0, +) == count)
    }
}
