package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Raises the contrast of each part of the image (CLAHE), as OpenCV's `createCLAHE` does for grey images.
    ///
    /// Only luma changes; the differences of the channels from it stay, unless they are clamped.
    ///
    /// - Parameters:
    ///   - columns: the number of tiles in a row, 1…64; 1 × 1 tile equalises the whole image.
    ///   - rows: the number of rows of tiles, 1…64.
    ///   - clipLimit: the largest factor of contrast, 0…256; 0 for no limit.
    public static func equalizeLocally(columns: Int = 8, rows: Int = 8, clipLimit: Double = 3) -> PixelOperation {
        PixelOperation(EqualizeLocallyOperation(columns: columns, rows: rows, clipLimit: clipLimit))
    }
}

/// Raises the contrast of each part of the image.
package struct EqualizeLocallyOperation: OperationDescription {
    package static let name = "equalizeLocally"
    package static let section = OperationSection.tone

    package static let options = OperationOptions.number(
        "clahe", in: 0...256, help: "Raise the contrast of each part of the image (CLAHE), at most by this factor."
    ) { .equalizeLocally(clipLimit: $0) }

    package let columns: Int
    package let rows: Int
    package let clipLimit: Double

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        for (name, count) in [("the number of columns", columns), ("the number of rows", rows)] {
            guard (1...LocalEqualization.largestTileCount).contains(count) else {
                throw .invalidParameter(
                    name, value: "\(count)", allowed: "from 1 to \(LocalEqualization.largestTileCount)")
            }
        }
        try clipLimit.checked("the clip limit", in: 0...256)
        return [Step(operation: self)]
    }

    /// Depends on all rows of the source, whose pixels are counted first.
    private struct Step: RowStep {
        let operation: EqualizeLocallyOperation

        var summary: String {
            let (columns, rows) = (operation.columns, operation.rows)
            return "equalize \(columns)×\(rows) tiles, clip limit \(operation.clipLimit.short)"
        }

        var surveysSource: Bool { true }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(
                try LocalEqualization(
                    columns: operation.columns, rows: operation.rows, clipLimit: operation.clipLimit, for: source))
        }
    }

    private final class Pass: StepPass {
        private let equalization: LocalEqualization

        init(_ equalization: LocalEqualization) { self.equalization = equalization }

        func begin(_ source: Raster) { equalization.begin(source) }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            equalization.run(rows: rows, from: source, to: destination)
        }
    }
}
