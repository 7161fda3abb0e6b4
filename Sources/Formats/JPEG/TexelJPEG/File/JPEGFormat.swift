public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// JPEG (ITU-T T.81), in JFIF or EXIF files.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
}

extension TexelError {
    /// A damaged JPEG file.
    public static func jpeg(_ defect: FormatDefect) -> TexelError { .damaged(.jpeg, defect) }
}
