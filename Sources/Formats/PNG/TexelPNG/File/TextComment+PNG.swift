public import TexelCodecs

extension TextComment {
    /// The keyword for a PNG text chunk in Latin-1: 1 to 79 printable characters, without leading, trailing or
    /// consecutive spaces (PNG specification, third edition, 11.3.3.2). "Comment" if `keyword` is not valid.
    public var pngKeyword: [UInt8] {
        let latin1 = keyword.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let isPrintable = latin1.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0xA1 }
        let words = latin1.split(separator: 0x20, omittingEmptySubsequences: false)
        let isValid =
            (1...79).contains(latin1.count) && latin1.count == keyword.unicodeScalars.count && isPrintable
            && !words.contains { $0.isEmpty }
        return isValid ? latin1 : Array("Comment".utf8)
    }

    /// The text in Latin-1 for a tEXt or zTXt chunk; `nil` if it needs an iTXt chunk.
    public var latin1Bytes: [UInt8]? {
        guard language.isEmpty, translatedKeyword.isEmpty else { return nil }
        let scalars = text.unicodeScalars
        let latin1 = scalars.compactMap { UInt8(exactly: $0.value) }
        return latin1.count == scalars.count && !latin1.contains(0) ? latin1 : nil
    }
}
