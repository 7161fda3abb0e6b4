import CPixelKernels
package import TexelCore
package import TexelPixels

/// A Gaussian blur, prepared for images of one shape. Used by one thread at a time; running it allocates nothing.
package final class BlurFilter {
    private let kernels = texel_kernels_in_use().pointee
    private let blur: any RowBlur
    private let shape: RasterShape
    private let usesLinearLight: Bool

    /// Computes the tables and allocates the memory.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(_ blur: GaussianBlur, for source: RasterShape) throws(TexelError) {
        self.blur = try blur.makeRowBlur(for: source)
        shape = source
        usesLinearLight = blur.usesLinearLight
    }

    /// Writes rows of the result, in the alpha mode of the source.
    ///
    /// - Parameters:
    ///   - source: an image of the shape. Only ``GaussianBlur/sourceRows(for:of:)`` are read.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        blur.restart()
        for y in rows {
            let row = destination.row(y).assumingMemoryBound(to: UInt8.self)
            blur.blur(row: y, of: source, into: row)
            switch shape.alphaMode {
            case .straight where !usesLinearLight: kernels.unpremultiply_row(row, row, shape.size.width)
            case .premultiplied where usesLinearLight: kernels.premultiply_row(row, row, shape.size.width)
            case .opaque, .straight, .premultiplied: break
            }
        }
    }
}
