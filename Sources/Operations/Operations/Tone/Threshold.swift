package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Replaces colours by white if their luma is at least `level` (0 to 255), else by black.
    public static func threshold(_ level: Double) -> PixelOperation {
        PixelOperation(ThresholdOperation(level: level))
    }
}

/// Replaces colours by black and white, by their luma (the weights of ITU-R BT.709).
package struct ThresholdOperation: ColorOperation {
    package static let name = "threshold"
    package static let section = OperationSection.replacement

    package static let options = OperationOptions.number(
        "threshold", in: 0...255, help: "Replace colours by black and white: white from this luma on, 0 to 255."
    ) { .threshold($0) }

    package let level: Double

    package var summary: String { "threshold \(level.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try level.checked("the threshold", in: 0...255)
        let row = YUVMatrix.bt709.weights + [0]
        // Luma is rounded to whole numbers, as that of a greyscale image is.
        return [
            .matrix(ColorMatrix(rows: row, row, row)),
            .curve { ($0 * 255).rounded() >= level ? 1 : 0 },
        ]
    }
}
