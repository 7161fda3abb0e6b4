public import TexelCodecs

extension ImageFormat {
    /// HEIC: HEVC images in the container of HEIF.
    public static let heic = ImageFormat(rawValue: "heic")
}

extension CodecError {
    /// A damaged HEIC file.
    public static func heic(_ defect: FormatDefect) -> CodecError { .damaged(.heic, defect) }
}
