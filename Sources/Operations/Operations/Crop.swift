package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Keeps this rectangle of the displayed image, in pixels.
    public static func crop(_ rectangle: PixelRectangle) -> PixelOperation { PixelOperation(CropOperation(rectangle)) }
}

/// Keeps a rectangle of the image.
package struct CropOperation: OperationDescription {
    package static let name = "crop"

    package let rectangle: PixelRectangle

    init(_ rectangle: PixelRectangle) { self.rectangle = rectangle }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard rectangle.isInside(size) else { throw .rectangleOutOfBounds(rectangle, size) }
        return rectangle == PixelRectangle(covering: size) ? [] : [CropStep(rectangle)]
    }
}

/// Keeps a rectangle, which must be inside the source.
package struct CropStep: RowStep {
    package let rectangle: PixelRectangle

    package init(_ rectangle: PixelRectangle) { self.rectangle = rectangle }

    package var summary: String { "crop \(rectangle)" }

    package func outputSize(of source: PixelSize) -> PixelSize { rectangle.size }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        (rows.lowerBound + rectangle.y)..<(rows.upperBound + rectangle.y)
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass(rectangle) }

    /// Shares the memory of the image.
    package func apply(to image: inout PixelBuffer) throws(TexelError) {
        image = try image.cropped(to: rectangle)
    }

    private final class Pass: StepPass {
        private let rectangle: PixelRectangle

        init(_ rectangle: PixelRectangle) { self.rectangle = rectangle }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            destination.copyRows(rows, from: source.cropped(to: rectangle))
        }
    }
}
