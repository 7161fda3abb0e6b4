public import TexelCodecs

extension ImageFormat {
    /// TIFF and BigTIFF.
    public static let tiff = ImageFormat(rawValue: "tiff")
}

extension CodecError {
    /// A damaged TIFF file.
    public static func tiff(_ defect: FormatDefect) -> CodecError { .damaged(.tiff, defect) }
}
