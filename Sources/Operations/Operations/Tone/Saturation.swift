package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Multiplies the distance of all colours to the grey of the same luma.
    ///
    /// - Parameter factor: 0 for grey, 1 for no change, at most 8.
    public static func saturation(_ factor: Double) -> PixelOperation {
        PixelOperation(SaturationOperation(factor: factor))
    }
}

/// Multiplies the distance of all colours to the grey of the same luma (Filter Effects Module Level 1, `saturate()`).
package struct SaturationOperation: ColorOperation {
    package static let name = "saturation"

    package static let options = OperationOptions.number(
        "saturation", in: 0...8, help: "Saturation factor: 0 is greyscale, 1 is unchanged."
    ) { .saturation($0) }

    package let factor: Double

    package var summary: String { "saturation \(factor.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try factor.checked("the saturation", in: 0...8)
        if factor == 1 { return [] }
        // The weights of luma, rounded as the specification has them.
        let (red, green, blue) = (0.213, 0.715, 0.072)
        func row(_ own: Int) -> [Double] {
            [red, green, blue].enumerated().map { $1 * (1 - factor) + ($0 == own ? factor : 0) } + [0]
        }
        return [.matrix(ColorMatrix(rows: row(0), row(1), row(2)))]
    }
}
