public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// JPEG XL, still or animated.
    public static let jxl = ImageFormat(rawValue: "jxl")
}

extension TexelError {
    /// A damaged JPEG XL.
    public static func jxl(_ defect: FormatDefect) -> TexelError { .damaged(.jxl, defect) }
}
