import CPixelKernels
import TexelCore
import TexelPixels

/// The rows of an image as premultiplied light, in 15 bits: what filters read that work in linear light.
final class LightRows {
    private let kernels = texel_kernels_in_use().pointee
    private let shape: RasterShape
    private let rows: WordRing
    /// A row with straight alpha, if the image is premultiplied.
    private let straight: PixelStorage

    /// Allocates the rows.
    ///
    /// - Parameter window: the number of consecutive rows that are used at once.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    init(for source: RasterShape, window: Int) throws(TexelError) {
        shape = source
        rows = try WordRing(count: window, width: source.size.width)
        let isConverted = source.alphaMode == .premultiplied
        straight = try PixelStorage(
            byteCount: isConverted ? source.size.width * PixelBuffer.bytesPerPixel : 8, zeroed: false)
    }

    /// Forgets all rows, before another image is filtered.
    func restart() { rows.restart() }

    /// Returns the addresses of consecutive rows, as many as the window has or fewer, valid until the next call. A row
    /// outside the image is the nearest one inside.
    func window(_ indices: Range<Int>, of source: Raster) -> UnsafePointer<UnsafePointer<Int16>> {
        rows.window(indices.lowerBound...(indices.upperBound - 1), clampedTo: 0...(shape.size.height - 1)) { row, y in
            var pixels = UnsafePointer(source.row(y).assumingMemoryBound(to: UInt8.self))
            if shape.alphaMode == .premultiplied {
                let copy = straight.base.assumingMemoryBound(to: UInt8.self)
                kernels.unpremultiply_row(copy, pixels, shape.size.width)
                pixels = UnsafePointer(copy)
            }
            LinearLight.fromByte.withUnsafeBufferPointer { curve in
                guard let curve = curve.baseAddress else { return }
                kernels.linearise_row(row, pixels, shape.size.width, curve)
            }
        }
    }
}
