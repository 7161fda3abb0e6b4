import CPixelKernels

/// Memory for a row with straight alpha, for changes of colours that would be wrong on premultiplied ones.
package final class StraightRow {
    private let memory: LargeMemory?

    /// - Throws: `outOfMemory`.
    package init(for shape: RasterShape) throws(PixelBufferError) {
        guard shape.alphaMode == .premultiplied else {
            memory = nil
            return
        }
        let byteCount = shape.size.width * PixelBuffer.bytesPerPixel
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
    }

    /// Calls `body` for each of the rows with its pixels, straight or opaque, and the memory of the changed ones, which
    /// may be the same. Converts premultiplied rows before and after.
    package func forEach(
        _ rows: Range<Int>, from source: Raster, to destination: Raster,
        _ body: (_ y: Int, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) {
        let kernels = texel_kernels_in_use().pointee
        let width = source.size.width
        for y in rows {
            let from = UnsafePointer(source.row(y).assumingMemoryBound(to: UInt8.self))
            let to = destination.row(y).assumingMemoryBound(to: UInt8.self)
            guard let memory else {
                body(y, from, to)
                continue
            }
            let straight = memory.base.assumingMemoryBound(to: UInt8.self)
            kernels.unpremultiply_row(straight, from, width)
            body(y, UnsafePointer(straight), straight)
            kernels.premultiply_row(to, straight, width)
        }
    }
}
