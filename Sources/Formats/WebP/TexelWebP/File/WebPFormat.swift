public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// WebP, still or animated.
    public static let webP = ImageFormat(rawValue: "webp")
}

extension TexelError {
    /// A damaged WebP file.
    public static func webP(_ defect: FormatDefect) -> TexelError { .damaged(.webP, defect) }
}
