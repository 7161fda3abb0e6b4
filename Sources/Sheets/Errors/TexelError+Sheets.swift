package import TexelCore
package import TexelPixels

extension TexelError {
    /// A page would exceed the limits or the format's maximum size.
    package static func pageTooLarge(_ size: PixelSize) -> TexelError {
        TexelError(.pageTooLarge, "a page of \(size) pixels exceeds the limits or the maximum of the format")
    }

    /// A caption contains a placeholder in braces that does not exist; `known` are those that do.
    package static func unknownPlaceholder(_ name: String, known: [String]) -> TexelError {
        let list = known.map { "{\($0)}" }.joined(separator: ", ")
        return TexelError(.invalidArgument, "{\(name)} in a caption is not one of \(list)")
    }
}
