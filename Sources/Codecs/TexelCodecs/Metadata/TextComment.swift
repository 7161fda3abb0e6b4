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
