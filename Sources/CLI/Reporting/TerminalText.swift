/// Measures text in terminal cells; a character takes one or two.
enum TerminalText {
    /// Shortens a text to at most `width` cells by removing its middle, so that a file extension remains.
    static func shortened(_ text: String, to width: Int) -> String {
        let text = Console.printable(text)
        guard cells(text) > width else { return text }
        guard width > 1 else { return String(repeating: "…", count: max(0, width)) }
        var (head, tail) = ("", "")
        var room = width - 1
        var (front, back) = (text.startIndex, text.endIndex)
        while front < back {
            let isForTail = cells(tail) < cells(head)
            let character = isForTail ? text[text.index(before: back)] : text[front]
            room -= cells(character)
            if room < 0 { break }
            if isForTail {
                tail = String(character) + tail
                back = text.index(before: back)
            } else {
                head.append(character)
                front = text.index(after: front)
            }
        }
        return head + "…" + tail
    }

    static func cells(_ text: String) -> Int { text.reduce(0) { $0 + cells($1) } }

    /// The width of a character, approximately as in Unicode's East Asian Width (UAX #11) and emoji properties. An
    /// overestimate only makes a line shorter.
    private static func cells(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        let isEmoji = scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
        return isEmoji || wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
