public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// BMP, the bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(rawValue: "bmp")
}

extension TexelError {
    /// A damaged BMP file.
    public static func bmp(_ defect: FormatDefect) -> TexelError { .damaged(.bmp, defect) }
}
