package import TexelCore
package import TexelPixels

/// Places the image on a larger canvas.
package struct PadStep: RowStep {
    package let canvas: PixelSize
    /// Where the image is on the canvas; has its size.
    package let place: PixelRectangle
    package let color: PixelColor

    package init(canvas: PixelSize, place: PixelRectangle, color: PixelColor) {
        self.canvas = canvas
        self.place = place
        self.color = color
    }

    package var summary: String { "pad to \(canvas)" }

    package func outputSize(of source: PixelSize) -> PixelSize { canvas }

    package func alphaMode(of source: AlphaMode) -> AlphaMode {
        source == .opaque && color.alpha != 255 ? .straight : source
    }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        let inside = rows.clamped(to: place.y..<(place.y + place.height))
        return (inside.lowerBound - place.y)..<(inside.upperBound - place.y)
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        guard place.size == source.size, place.isInside(canvas) else { throw .rectangleOutOfBounds(place, canvas) }
        return Pass(place, source.alphaMode == .premultiplied ? color.premultipliedPixel : color.pixel)
    }

    private final class Pass: StepPass {
        private let place: PixelRectangle
        private let pixel: UInt32

        init(_ place: PixelRectangle, _ pixel: UInt32) {
            self.place = place
            self.pixel = pixel
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            destination.fill(rows, with: pixel)
            let inside = rows.clamped(to: place.y..<(place.y + place.height))
            destination.cropped(to: place)
                .copyRows((inside.lowerBound - place.y)..<(inside.upperBound - place.y), from: source)
        }
    }
}
