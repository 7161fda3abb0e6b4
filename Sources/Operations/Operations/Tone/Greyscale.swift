package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Replaces all colours by greys of the same luma.
    ///
    /// - Parameter usesLinearLight: whether the grey has the same luminance, computed in linear light, instead of luma.
    public static func greyscale(usesLinearLight: Bool = false) -> PixelOperation {
        PixelOperation(GreyscaleOperation(usesLinearLight: usesLinearLight))
    }
}

/// Replaces all colours by greys: of the same luma (Filter Effects Module Level 1, `grayscale()`), or of the same
/// luminance (the weights of ITU-R BT.709, sRGB's curve undone).
package struct GreyscaleOperation: ColorOperation {
    package static let name = "greyscale"
    package static let section = OperationSection.replacement

    package static let options = OperationOptions.flag(
        "greyscale", help: "Replace colours by greys of the same luma."
    ) { .greyscale() }

    package let usesLinearLight: Bool

    package var summary: String { usesLinearLight ? "greyscale in linear light" : "greyscale" }

    package func changes() throws(TexelError) -> [ColorChange] {
        let row = YUVMatrix.bt709.weights + [0]
        let grey = ColorChange.matrix(ColorMatrix(rows: row, row, row))
        guard usesLinearLight else { return [grey] }
        return [.curve(TransferCurve.light), grey, .curve(TransferCurve.value)]
    }
}
