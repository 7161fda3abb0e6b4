public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// AVIF: AV1 images in the container of HEIF, still or animated.
    public static let avif = ImageFormat(rawValue: "avif")
}

extension TexelError {
    /// A damaged AVIF file.
    public static func avif(_ defect: FormatDefect) -> TexelError { .damaged(.avif, defect) }
}
