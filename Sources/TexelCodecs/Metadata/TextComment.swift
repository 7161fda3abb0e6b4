/// A text in an image file: a JPEG comment, or a PNG text chunk with its keyword.
public struct TextComment: Sendable, Hashable, Codable {
    /// The character encoding of a text.
    public enum Encoding: Sendable, Hashable, Codable {
        /// Latin-1, in tEXt and zTXt chunks.
        case latin1
        /// UTF-8, in iTXt chunks.
        case utf8
        /// Unknown: a JPEG comment may use any encoding.
        case unknown
    }

    /// The keyword of a PNG text; empty for a JPEG comment.
    public var keyword: String
    /// The language tag of an iTXt chunk; empty if it has none.
    public var language: String
    /// The keyword of an iTXt chunk in that language.
    public var translatedKeyword: String
    /// The text as stored, decompressed.
    public var bytes: [UInt8]
    /// The character encoding of ``bytes``.
    public var encoding: Encoding

    /// Creates a text.
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

    /// The decoded text. Bytes of unknown encoding are decoded as UTF-8 if they are valid, else as Latin-1.
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

// MARK: Conversion between the formats

extension TextComment {
    /// The bytes of a JPEG comment: as stored if there is no keyword, else "keyword: text" in UTF-8.
    public var jpegComment: [UInt8] { keyword.isEmpty ? bytes : Array("\(keyword): \(text)".utf8) }

    /// The keyword for a PNG text chunk in Latin-1: 1 to 79 printable characters, without leading, trailing or
    /// consecutive spaces (PNG specification, third edition, 11.3.3.2). "Comment" if ``keyword`` is not valid.
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
