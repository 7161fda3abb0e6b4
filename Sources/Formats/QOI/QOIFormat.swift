public import TexelCodecs

extension ImageFormat {
    /// QOI, the "Quite OK Image Format".
    public static let qoi = ImageFormat(rawValue: "qoi")
}

extension CodecError {
    /// A damaged QOI file.
    public static func qoi(_ defect: FormatDefect) -> CodecError { .damaged(.qoi, defect) }
}
