public import TexelCodecs

extension ImageFormat {
    /// AVIF: AV1 images in the container of HEIF, still or animated.
    public static let avif = ImageFormat(rawValue: "avif")
}

extension CodecError {
    /// A damaged AVIF file.
    public static func avif(_ defect: FormatDefect) -> CodecError { .damaged(.avif, defect) }
}
