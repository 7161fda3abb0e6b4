package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Multiplies the distance of all colours to middle grey.
    ///
    /// - Parameter factor: 0 for grey, 1 for no change, at most 1000.
    public static func contrast(_ factor: Double) -> PixelOperation {
        PixelOperation(ContrastOperation(factor: factor))
    }
}

/// Multiplies the distance of all colours to middle grey (Filter Effects Module Level 1, `contrast()`).
package struct ContrastOperation: ColorOperation {
    package static let name = "contrast"

    package static let options = OperationOptions.number(
        "contrast", in: 0...1000, help: "Contrast factor: 0 is flat grey, 1 is unchanged."
    ) { .contrast($0) }

    package let factor: Double

    package var summary: String { "contrast \(factor.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try factor.checked("the contrast", in: 0...1000)
        return factor == 1 ? [] : [.matrix(.scaling(by: factor, adding: 0.5 - 0.5 * factor))]
    }
}
