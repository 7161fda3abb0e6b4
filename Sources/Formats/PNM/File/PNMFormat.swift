public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// The formats of Netpbm: PBM, PGM, PPM and PAM. One name stands for all, because their readers accept all of them
    /// and tell them apart by content.
    public static let ppm = ImageFormat(rawValue: "ppm")
}

extension TexelError {
    /// A damaged PBM, PGM, PPM or PAM file.
    public static func ppm(_ defect: FormatDefect) -> TexelError { .damaged(.ppm, defect) }
}
