public import TexelCodecs

extension ImageFormat {
    /// JPEG (ITU-T T.81), in JFIF or EXIF files.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
}

extension CodecError {
    /// A damaged JPEG file.
    public static func jpeg(_ defect: FormatDefect) -> CodecError { .damaged(.jpeg, defect) }
}
