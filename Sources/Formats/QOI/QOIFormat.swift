public import TexelCodecs
public import TexelCore

extension ImageFormat {
    /// QOI, the "Quite OK Image Format".
    public static let qoi = ImageFormat(rawValue: "qoi")
}

extension TexelError {
    /// A damaged QOI file.
    public static func qoi(_ defect: FormatDefect) -> TexelError { .damaged(.qoi, defect) }
}
