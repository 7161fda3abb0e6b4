public import TexelCodecs

extension ImageFormat {
    /// PNG, with or without animation (APNG).
    public static let png = ImageFormat(rawValue: "png")
}

extension CodecError {
    /// A damaged PNG file.
    public static func png(_ defect: FormatDefect) -> CodecError { .damaged(.png, defect) }
}
