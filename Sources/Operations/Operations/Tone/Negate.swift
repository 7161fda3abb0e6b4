package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Inverts all colours; alpha stays.
    public static let negate = PixelOperation(NegateOperation())
}

/// Inverts all colours (Filter Effects Module Level 1, `invert()`).
package struct NegateOperation: ColorOperation {
    package static let name = "negate"
    package static let section = OperationSection.replacement

    package static let options = OperationOptions.flag("negate", help: "Invert colours.") { .negate }

    package var summary: String { "negate" }

    package func changes() throws(TexelError) -> [ColorChange] {
        [.matrix(.scaling(by: -1, adding: 1))]
    }
}
