public import TexelPixels

extension PixelOperation {
    /// Multiplies all colours by a matrix.
    public static func colorMatrix(_ matrix: ColorMatrix) -> PixelOperation {
        PixelOperation(ColorMatrixOperation(matrix: matrix))
    }
}

/// Multiplies all colours by a matrix (Filter Effects Module Level 1, `feColorMatrix` without alpha, in stored values).
package struct ColorMatrixOperation: ColorOperation {
    package static let name = "colorMatrix"

    package let matrix: ColorMatrix

    package var summary: String { "colour matrix" }

    package func changes() throws(PixelBufferError) -> [ColorChange] {
        for (index, number) in matrix.numbers.enumerated() {
            let isOffset = index % 4 == 3
            let largest = isOffset ? ColorMatrix.offsetLimit : ColorMatrix.factorLimit
            try number.checked("\(isOffset ? "an offset" : "a factor") of the colour matrix", in: -largest...largest)
        }
        return matrix == .identity ? [] : [.matrix(matrix)]
    }
}
