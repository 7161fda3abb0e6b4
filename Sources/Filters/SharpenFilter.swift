import CPixelKernels
package import TexelCore
package import TexelPixels

/// An unsharp mask, prepared for images of one shape. Used by one thread at a time; running it allocates nothing.
///
/// A colour c becomes c + amount × (c × a − b), where a and b are the alpha and the premultiplied colour of the blurred
/// image. Where all of the window is opaque, that is the difference from the blurred image. Elsewhere the difference
/// counts as much as the window is opaque, and transparent neighbours do not count.
package final class SharpenFilter {
    /// The largest factor of the difference.
    package static let largestAmount = 10.0

    private let kernels = texel_kernels_in_use().pointee
    private let blur: any RowBlur
    private let blurred: PixelStorage
    private let shape: RasterShape
    private let amount: Int32
    private let threshold: Int32

    /// Computes the tables and allocates the memory.
    ///
    /// - Parameters:
    ///   - amount: the factor of the difference, 0…``largestAmount``; rounded to 1/2048.
    ///   - threshold: smaller differences do not count, 0…255.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(
        _ blur: GaussianBlur, amount: Double, threshold: Int, for source: RasterShape
    ) throws(TexelError) {
        precondition(
            amount >= 0 && amount <= Self.largestAmount && (0...255).contains(threshold),
            "the amount is \(amount), the threshold \(threshold)")
        self.blur = try blur.makeRowBlur(for: source)
        blurred = try PixelStorage(byteCount: source.size.width * PixelBuffer.bytesPerPixel, zeroed: false)
        shape = source
        self.amount = Int32((amount * 2048).rounded())
        self.threshold = Int32(threshold)
    }

    /// Writes rows of the result.
    ///
    /// - Parameters:
    ///   - source: an image of the shape. Only ``GaussianBlur/sourceRows(for:of:)`` are read.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        let (width, mean) = (shape.size.width, blurred.base.assumingMemoryBound(to: UInt8.self))
        blur.restart()
        for y in rows {
            blur.blur(row: y, of: source, into: mean)
            let row = destination.row(y).assumingMemoryBound(to: UInt8.self)
            var pixels = UnsafePointer(source.row(y).assumingMemoryBound(to: UInt8.self))
            if shape.alphaMode == .premultiplied {
                kernels.unpremultiply_row(row, pixels, width)
                pixels = UnsafePointer(row)
            }
            kernels.sharpen_row(row, pixels, mean, width, amount, threshold)
            if shape.alphaMode == .premultiplied { kernels.premultiply_row(row, row, width) }
        }
    }
}
