package import TexelCore
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

    package static let options = OperationOptions.one(
        ParameterKey("color-matrix"),
        { key in
            var parameter = Parameter(
                key, form: "12 numbers such as \"0,0,1,0 0,1,0,0 1,0,0,0\"",
                help: """
                    Replace red, green and blue by weighted sums of them: for each the factors of red, green and blue \
                    and an offset, in which 1 is white; 12 numbers.
                    """
            ) { matrix($0) != nil }
            parameter.mayBeginWithDash = true
            return parameter
        }
    ) { matrix($0).map { [.colorMatrix($0)] } ?? [] }

    /// Parses twelve numbers, row by row.
    private static func matrix(_ text: String) -> ColorMatrix? {
        guard let numbers = NumberList.numbers(text) else { return nil }
        let isAllowed = numbers.enumerated().allSatisfy { index, number in
            abs(number) <= (index % 4 == 3 ? ColorMatrix.offsetLimit : ColorMatrix.factorLimit)
        }
        return isAllowed ? ColorMatrix(numbers) : nil
    }

    package let matrix: ColorMatrix

    package var summary: String { "colour matrix" }

    package func changes() throws(TexelError) -> [ColorChange] {
        for (index, number) in matrix.numbers.enumerated() {
            let isOffset = index % 4 == 3
            let largest = isOffset ? ColorMatrix.offsetLimit : ColorMatrix.factorLimit
            try number.checked("\(isOffset ? "an offset" : "a factor") of the colour matrix", in: -largest...largest)
        }
        return matrix == .identity ? [] : [.matrix(matrix)]
    }
}
