package import TexelCore
import TexelFilters
package import TexelPixels

/// Places the image on a larger canvas, over itself, enlarged to cover the canvas, and blurred.
package struct BlurredBackgroundStep: RowStep {
    let canvas: PixelSize
    /// Where the image is on the canvas; has its size.
    let place: PixelRectangle
    /// The standard deviation of the blur.
    let sigma: Double

    package var summary: String { "extend to \(canvas) with itself, blurred with sigma \(sigma)" }

    package var mixesPixels: Bool { true }

    package func outputSize(of source: PixelSize) -> PixelSize { canvas }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        guard place.size == source.size, place.isInside(canvas) else { throw .rectangleOutOfBounds(place, canvas) }
        return try Pass(self, source)
    }

    /// The part of an image of one size that covers the canvas, in its middle.
    private func covering(_ size: PixelSize) -> FractionalRectangle {
        let (width, height) = (Double(size.width), Double(size.height))
        // How much the image is enlarged.
        let factor = max(Double(canvas.width) / width, Double(canvas.height) / height)
        let part = (width: Double(canvas.width) / factor, height: Double(canvas.height) / factor)
        return FractionalRectangle(
            x: (width - part.width) / 2, y: (height - part.height) / 2, width: part.width, height: part.height)
    }

    private final class Pass: StepPass {
        private let place: PixelRectangle
        private let shape: RasterShape
        private let resampler: RowResampler
        private let blur: GaussianBlur?
        private let filter: BlurFilter?
        /// The enlarged image, if it is blurred.
        private let enlarged: LargeMemory?

        init(_ step: BlurredBackgroundStep, _ source: RasterShape) throws(TexelError) {
            place = step.place
            shape = RasterShape(size: step.canvas, alphaMode: source.alphaMode)
            resampler = try RowResampler(
                source: source.size, region: step.covering(source.size), target: step.canvas, filter: .bilinear,
                linearLight: false, alphaMode: source.alphaMode, rowsStay: true)
            blur = GaussianBlur(sigma: step.sigma)
            guard let blur else {
                (filter, enlarged) = (nil, nil)
                return
            }
            filter = try BlurFilter(blur, for: shape)
            guard let pixelCount = step.canvas.pixelCount, pixelCount <= Int.max / PixelBuffer.bytesPerPixel else {
                throw .resultTooLarge
            }
            let byteCount = pixelCount * PixelBuffer.bytesPerPixel
            guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
            enlarged = memory
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            if let blur, let filter, let enlarged {
                let background = Raster(
                    base: enlarged.base, bytesPerRow: shape.size.width * PixelBuffer.bytesPerPixel, size: shape.size,
                    alphaMode: shape.alphaMode)
                resampler.run(rows: blur.sourceRows(for: rows, of: shape.size), from: source, to: background)
                filter.run(rows: rows, from: background, to: destination)
            } else {
                resampler.run(rows: rows, from: source, to: destination)
            }
            let inside = rows.clamped(to: place.y..<(place.y + place.height))
            destination.cropped(to: place)
                .copyRows((inside.lowerBound - place.y)..<(inside.upperBound - place.y), from: source)
        }
    }
}
