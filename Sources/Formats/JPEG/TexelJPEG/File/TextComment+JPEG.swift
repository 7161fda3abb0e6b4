public import TexelCodecs

extension TextComment {
    /// The bytes of a JPEG comment: as stored if there is no keyword, else "keyword: text" in UTF-8.
    public var jpegComment: [UInt8] { keyword.isEmpty ? bytes : Array("\(keyword): \(text)".utf8) }
}
