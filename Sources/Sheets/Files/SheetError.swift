package import TexelPipeline
package import TexelPixels
package import TexelText

/// Why a contact sheet, gallery or report could not be made.
package enum SheetError: Error, Sendable, Hashable {
    /// There is no font for captions.
    case font(TextError)
    /// A page would exceed the limits or the format's maximum size.
    case pageTooLarge(PixelSize)
    /// A caption contains a placeholder in braces that does not exist; `known` are those that do.
    case unknownPlaceholder(String, known: [String])
    /// An image or page could not be processed or written.
    case image(PipelineError)
}

extension SheetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .font(let error): "\(error)"
        case .pageTooLarge(let size):
            "a page of \(size) pixels exceeds the limits or the maximum of the format"
        case .unknownPlaceholder(let name, let known):
            "{\(name)} in a caption is not one of " + known.map { "{\($0)}" }.joined(separator: ", ")
        case .image(let error): "\(error)"
        }
    }
}
