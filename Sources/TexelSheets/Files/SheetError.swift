package import TexelPipeline
package import TexelPixels

/// Why a contact sheet, gallery or report could not be made.
package enum SheetError: Error, Sendable, Hashable {
    /// No usable font is installed.
    case noFonts
    /// The named file is not a font that FreeType can render.
    case unusableFont(String)
    /// A page would exceed the limits or the format's maximum size.
    case pageTooLarge(PixelSize)
    /// No font of this family is installed.
    case unknownFamily(String)
    /// A caption contains a placeholder in braces that does not exist; `known` are those that do.
    case unknownPlaceholder(String, known: [String])
    /// An image or page could not be processed or written.
    case image(PipelineError)
}

extension SheetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFonts: "no usable font is installed"
        case .unusableFont(let name): "\(name) is not a usable font; name a .ttf or .otf file, or a family"
        case .unknownFamily(let name): "no font family named \(name) is installed"
        case .pageTooLarge(let size):
            "a page of \(size) pixels exceeds the limits or the maximum of the format"
        case .unknownPlaceholder(let name, let known):
            "{\(name)} in a caption is not one of " + known.map { "{\($0)}" }.joined(separator: ", ")
        case .image(let error): "\(error)"
        }
    }
}
