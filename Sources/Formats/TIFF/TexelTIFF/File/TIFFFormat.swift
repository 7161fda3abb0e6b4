public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// TIFF and BigTIFF.
    public static let tiff = ImageFormat(rawValue: "tiff")
}

extension TexelError {
    /// A damaged TIFF file.
    public static func tiff(_ defect: FormatDefect) -> TexelError { .damaged(.tiff, defect) }
}
