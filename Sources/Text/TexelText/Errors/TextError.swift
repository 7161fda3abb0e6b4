public import TexelPixels

/// Why a text could not be drawn.
public enum TextError: Error, Sendable, Hashable {
    /// No usable font is installed.
    case noFonts
    /// The named file is not a font that FreeType can render.
    case unusableFont(String)
    /// No font of this family is installed.
    case unknownFamily(String)
    /// A property of the options has a value that is not allowed: its name, its value, and what is allowed.
    case invalidParameter(String, value: String, allowed: String)
    /// The image of the text would have this size, which exceeds the limit of 2²⁶ pixels.
    case tooLarge(PixelSize)
    /// The image of the text could not be made.
    case pixels(PixelBufferError)
}

extension TextError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noFonts: "no usable font is installed"
        case .unusableFont(let name): "\(name) is not a usable font; name a .ttf or .otf file, or a family"
        case .unknownFamily(let name): "no font family named \(name) is installed"
        case .invalidParameter(let name, let value, let allowed): "\(name) cannot be \(value); it must be \(allowed)"
        case .tooLarge(let size): "the text would take \(size) pixels, which is too large"
        case .pixels(let error): "\(error)"
        }
    }
}
