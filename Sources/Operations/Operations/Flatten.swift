package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Composites the image over an opaque colour.
    public static func flatten(_ color: PixelColor) -> PixelOperation { PixelOperation(FlattenOperation(color)) }
}

/// Composites the image over an opaque colour.
package struct FlattenOperation: OperationDescription {
    package static let name = "flatten"

    package let color: PixelColor

    init(_ color: PixelColor) { self.color = color }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        [FlattenStep(color)]
    }
}

/// Composites the image over an opaque colour, in place.
package struct FlattenStep: RowStep {
    package let color: PixelColor

    package init(_ color: PixelColor) { self.color = color }

    package var summary: String { "flatten" }

    package var runsInPlace: Bool { true }

    package var inspectsImage: Bool { true }

    package func alphaMode(of source: AlphaMode) -> AlphaMode { .opaque }

    package func changesNothing(_ source: AlphaMode) -> Bool { source == .opaque }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func note(about image: PixelBuffer) -> String? {
        image.isOpaque ? nil : "transparent pixels were composited over \(color)"
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass(color) }

    private final class Pass: StepPass {
        private let color: PixelColor

        init(_ color: PixelColor) { self.color = color }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            destination.flatten(rows, of: source, on: color)
        }
    }
}
