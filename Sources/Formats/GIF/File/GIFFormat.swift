public import TexelCodecs

extension ImageFormat {
    /// GIF, still or animated.
    public static let gif = ImageFormat(rawValue: "gif")
}

extension CodecError {
    /// A damaged GIF.
    public static func gif(_ defect: FormatDefect) -> CodecError { .damaged(.gif, defect) }
}
