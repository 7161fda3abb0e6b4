package import TexelCore
package import TexelPixels

/// Flips the image, or turns it by multiples of 90°, without changing a pixel.
package struct MoveStep: RowStep {
    package let orientation: Orientation

    package init(_ orientation: Orientation) { self.orientation = orientation }

    package var summary: String { "move pixels (\(orientation))" }

    package func outputSize(of source: PixelSize) -> PixelSize { orientation.applied(to: source) }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        if orientation.transposes { return 0..<source.height }
        guard orientation.mirrorsY else { return rows }
        return (source.height - rows.upperBound)..<(source.height - rows.lowerBound)
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass(orientation) }

    private final class Pass: StepPass {
        private let orientation: Orientation

        init(_ orientation: Orientation) { self.orientation = orientation }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            PixelMove(orientation, from: source, to: destination).run(rows: rows)
        }
    }
}
