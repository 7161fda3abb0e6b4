package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Multiplies all colours.
    ///
    /// - Parameter factor: 0 for black, 1 for no change, at most 1000.
    public static func brightness(_ factor: Double) -> PixelOperation {
        PixelOperation(BrightnessOperation(factor: factor))
    }
}

/// Multiplies all colours (Filter Effects Module Level 1, `brightness()`).
package struct BrightnessOperation: ColorOperation {
    package static let name = "brightness"

    package static let options = OperationOptions.number(
        "brightness", in: 0...1000, help: "Brightness factor: 0 is black, 1 is unchanged."
    ) { .brightness($0) }

    package let factor: Double

    package var summary: String { "brightness \(factor.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try factor.checked("the brightness", in: 0...1000)
        return factor == 1 ? [] : [.matrix(.scaling(by: factor, adding: 0))]
    }
}
