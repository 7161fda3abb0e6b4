public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// GIF, still or animated.
    public static let gif = ImageFormat(rawValue: "gif")
}

extension TexelError {
    /// A damaged GIF.
    public static func gif(_ defect: FormatDefect) -> TexelError { .damaged(.gif, defect) }
}
