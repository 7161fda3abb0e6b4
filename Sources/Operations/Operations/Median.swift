package import TexelCore
import TexelFilters
package import TexelPixels

extension PixelOperation {
    /// Replaces each channel of a pixel by the median of a square window around it, which removes specks and keeps
    /// edges.
    ///
    /// - Parameter size: the sides of the window in pixels: 3, 5, 7 or 9. 1 changes nothing.
    public static func median(size: Int) -> PixelOperation { PixelOperation(MedianOperation(size: size)) }
}

/// Replaces each channel of a pixel by the median of a square window around it.
package struct MedianOperation: OperationDescription {
    package static let name = "median"

    package static let options = OperationOptions.one(
        ParameterKey("median"),
        {
            Parameter(
                $0, oneOf: [3, 5, 7, 9],
                help: "Replace each pixel by the median of N x N pixels, which removes specks: 3, 5, 7 or 9.")
        }
    ) { [.median(size: $0)] }

    package let size: Int

    init(size: Int) { self.size = size }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard (1...MedianFilter.largestSize).contains(self.size), self.size % 2 == 1 else {
            throw .invalidParameter("size", value: "\(self.size)", allowed: "1, 3, 5, 7 or 9")
        }
        return self.size == 1 ? [] : [Step(size: self.size)]
    }

    private struct Step: RowStep {
        let size: Int

        var summary: String { "median of \(size)×\(size)" }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
            MedianFilter.sourceRows(for: rows, of: source, size: size)
        }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(try MedianFilter(size: size, for: source))
        }
    }

    private final class Pass: StepPass {
        private let filter: MedianFilter

        init(_ filter: MedianFilter) { self.filter = filter }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            filter.run(rows: rows, from: source, to: destination)
        }
    }
}
