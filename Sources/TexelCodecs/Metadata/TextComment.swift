/// A text beside the picture: a JPEG comment, or a PNG text chunk with its keyword.
public struct TextComment: Sendable, Hashable, Codable {
    public enum Encoding: Sendable, Hashable, Codable {
        /// tEXt and zTXt.
        case latin1
        /// iTXt.
        case utf8
        /// A JPEG comment may be in any encoding.
        case unknown
    }

    /// PNG's keyword; empty for a JPEG comment.
    public var keyword: String
    /// iTXt's language tag; empty where none is given.
    public var language: String
    /// iTXt's keyword in that language.
    public var translatedKeyword: String
    /// The text as it came, uncompressed.
    public var bytes: [UInt8]
    public var encoding: Encoding

    public init(
        keyword: String = "", language: String = "", translatedKeyword: String = "", bytes: [UInt8],
        encoding: Encoding
    ) {
        self.keyword = keyword
        self.language = language
        self.translatedKeyword = translatedKeyword
        self.bytes = bytes
        self.encoding = encoding
    }

    /// The text to show. A comment of unknown encoding is UTF-8 if it can be, else Latin-1, in which all bytes are text.
    public var text: String {
        switch encoding {
        case .latin1: latin1Text
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .unknown: String(validating: bytes, as: UTF8.self) ?? latin1Text
        }
    }

    /// Latin-1 is the first 256 code points of Unicode.
    private var latin1Text: String { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
}

// MARK: What the other format needs

extension TextComment {
    /// The bytes of a JPEG comment, as they came or in UTF-8, after the keyword if there is one.
    public var jpegComment: [UInt8] { keyword.isEmpty ? bytes : Array("\(keyword): \(text)".utf8) }

    /// The keyword of a PNG text chunk in Latin-1: 1 to 79 printable characters, without blanks at the ends or in
    /// pairs (PNG specification, third edition, 11.3.3.2); "Comment" where the comment's own is not such a keyword.
    public var pngKeyword: [UInt8] {
        let latin1 = keyword.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let isPrintable = latin1.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0xA1 }
        let words = latin1.split(separator: 0x20, omittingEmptySubsequences: false)
        let isValid =
            (1...79).contains(latin1.count) && latin1.count == keyword.unicodeScalars.count && isPrintable
            && !words.contains { $0.isEmpty }
        return isValid ? latin1 : Array("Comment".utf8)
    }

    /// The text in Latin-1 for a tEXt or zTXt chunk; `nil` where it needs an iTXt chunk.
    public var latin1Bytes: [UInt8]? {
        guard language.isEmpty, translatedKeyword.isEmpty else { return nil }
        let scalars = text.unicodeScalars
        let latin1 = scalars.compactMap { UInt8(exactly: $0.value) }
        return latin1.count == scalars.count && !latin1.contains(0) ? latin1 : nil
    }
}
