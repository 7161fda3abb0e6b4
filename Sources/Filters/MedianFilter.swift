import CPixelKernels
package import TexelCore
package import TexelPixels

/// A median of square windows, per channel of premultiplied pixels, prepared for images of one shape. Used by one
/// thread at a time; running it allocates nothing.
package final class MedianFilter {
    /// The largest window, in pixels.
    package static let largestSize = 9

    private let kernels = texel_kernels_in_use().pointee
    private let size: Int
    private let shape: RasterShape
    private let rows: EdgeRows

    /// Allocates the memory.
    ///
    /// - Parameter size: the sides of the window, odd, 3…``largestSize``.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(size: Int, for source: RasterShape) throws(TexelError) {
        precondition((3...Self.largestSize).contains(size) && size % 2 == 1, "the window has a size of \(size)")
        self.size = size
        shape = source
        rows = try EdgeRows(for: source, window: size, margin: size / 2, padding: Int(texel_median_padding))
    }

    /// The rows of the source on which rows of the result depend.
    package static func sourceRows(for rows: Range<Int>, of source: PixelSize, size: Int) -> Range<Int> {
        ((rows.lowerBound - size / 2)..<(rows.upperBound + size / 2)).clamped(to: 0..<source.height)
    }

    /// Writes rows of the result, in the alpha mode of the source.
    ///
    /// - Parameters:
    ///   - source: an image of the shape. Only ``sourceRows(for:of:size:)`` are read.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        self.rows.restart()
        let count = shape.size.width * PixelBuffer.bytesPerPixel
        for y in rows {
            let window = self.rows.window((y - size / 2)..<(y + size / 2 + 1), of: source)
            let row = destination.row(y).assumingMemoryBound(to: UInt8.self)
            switch size {
            case 3: kernels.median_3_row(row, window, count)
            case 5: kernels.median_5_row(row, window, count)
            default: kernels.median_row(row, window, count, size)
            }
            if shape.alphaMode == .straight { kernels.unpremultiply_row(row, row, shape.size.width) }
        }
    }
}
