public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// PNG, with or without animation (APNG).
    public static let png = ImageFormat(rawValue: "png")
}

extension TexelError {
    /// A damaged PNG file.
    public static func png(_ defect: FormatDefect) -> TexelError { .damaged(.png, defect) }
}
