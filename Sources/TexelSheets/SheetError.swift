package import TexelPipeline
package import TexelPixels

/// Why there is no sheet or page at all.
package enum SheetError: Error, Sendable, Hashable {
    /// The machine has no font that letters could be drawn with.
    case noFonts
    /// What was named is no font that FreeType can draw.
    case unusableFont(String)
    /// One page would have more pixels than the limits or the format allow.
    case pageTooLarge(PixelSize)
    /// No font of this family is installed.
    case unknownFamily(String)
    /// In braces in a caption, but none of the names that there are.
    case unknownPlaceholder(String)
    /// The page could not be made or written.
    case picture(PipelineError)
}

extension SheetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFonts: "no font is installed"
        case .unusableFont(let name): "\(name) is no font that can be drawn; name a .ttf or .otf, or a family"
        case .unknownFamily(let name): "no font family is called \(name)"
        case .pageTooLarge(let size):
            "a page would have \(size) pixels, more than the limits or the format allow"
        case .unknownPlaceholder(let name):
            "{\(name)} in a caption is not one of " + CaptionTemplate.names.map { "{\($0)}" }.joined(separator: ", ")
        case .picture(let error): "\(error)"
        }
    }
}
