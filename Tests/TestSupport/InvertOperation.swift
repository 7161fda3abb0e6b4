package import TexelCore
package import TexelOperations
package import TexelPixels

extension PixelOperation {
    /// Inverts the colours.
    package static let invert = PixelOperation(InvertOperation())
}

/// An operation of the tests' own: this file and one call of ``OperationRegistry/register(_:)`` are all of it.
package struct InvertOperation: OperationDescription {
    package static let name = "invert"

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        [Step()]
    }

    private struct Step: RowStep {
        var summary: String { "invert" }
        var runsInPlace: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass() }
    }

    private final class Pass: StepPass {
        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            for y in rows {
                for x in 0..<source.size.width { destination.pixels(y)[x] = source.pixels(y)[x] ^ 0xFF_FFFF }
            }
        }
    }
}
