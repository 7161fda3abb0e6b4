public import TexelCodecs

extension ImageFormat {
    /// WebP, still or animated.
    public static let webP = ImageFormat(rawValue: "webp")
}

extension CodecError {
    /// A damaged WebP file.
    public static func webP(_ defect: FormatDefect) -> CodecError { .damaged(.webP, defect) }
}
