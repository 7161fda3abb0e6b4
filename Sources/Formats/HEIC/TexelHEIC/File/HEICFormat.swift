public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// HEIC: HEVC images in the container of HEIF.
    public static let heic = ImageFormat(rawValue: "heic")
}

extension TexelError {
    /// A damaged HEIC file.
    public static func heic(_ defect: FormatDefect) -> TexelError { .damaged(.heic, defect) }
}
