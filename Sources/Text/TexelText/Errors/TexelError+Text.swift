public import TexelCore
public import TexelPixels

/// Reasons why a text could not be drawn.
extension TexelError {
    /// No usable font is installed.
    public static var noFonts: TexelError { TexelError(.noFonts, "no usable font is installed") }

    /// The named file is not a font that FreeType can render.
    public static func unusableFont(_ name: String) -> TexelError {
        TexelError(.unusableFont, "\(name) is not a usable font; name a .ttf or .otf file, or a family")
    }

    /// No font of this family is installed.
    public static func unknownFontFamily(_ name: String) -> TexelError {
        TexelError(.unknownFontFamily, "no font family named \(name) is installed")
    }

    /// The image of the text would have this size, which exceeds the limit of 2²⁶ pixels.
    public static func textTooLarge(_ size: PixelSize) -> TexelError {
        TexelError(.resultTooLarge, "the text would take \(size) pixels, which is too large")
    }
}
