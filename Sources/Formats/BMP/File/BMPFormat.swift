public import TexelCodecs

extension ImageFormat {
    /// BMP, the bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(rawValue: "bmp")
}

extension CodecError {
    /// A damaged BMP file.
    public static func bmp(_ defect: FormatDefect) -> CodecError { .damaged(.bmp, defect) }
}
