public import TexelCodecs

extension ImageFormat {
    /// JPEG XL, still or animated.
    public static let jxl = ImageFormat(rawValue: "jxl")
}

extension CodecError {
    /// A damaged JPEG XL.
    public static func jxl(_ defect: FormatDefect) -> CodecError { .damaged(.jxl, defect) }
}
