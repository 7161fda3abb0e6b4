import CPixelKernels
package import TexelCore

/// Memory for a row with straight alpha, for changes of colours that would be wrong on premultiplied ones.
package final class StraightRow {
    private let memory: LargeMemory?

    /// - Throws: `outOfMemory`.
    package init(for shape: RasterShape) throws(TexelError) {
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
        for y in rows {
            let from = pixels(y, of: source)
            let to = destination.row(y).assumingMemoryBound(to: UInt8.self)
            guard let memory else {
                body(y, from, to)
                continue
            }
            let straight = memory.base.assumingMemoryBound(to: UInt8.self)
            body(y, from, straight)
            texel_kernels_in_use().pointee.premultiply_row(to, straight, source.size.width)
        }
    }

    /// Returns the pixels of a row, straight or opaque, valid until the next call.
    package func pixels(_ y: Int, of source: Raster) -> UnsafePointer<UInt8> {
        let row = UnsafePointer(source.row(y).assumingMemoryBound(to: UInt8.self))
        guard let memory else { return row }
        let straight = memory.base.assumingMemoryBound(to: UInt8.self)
        texel_kernels_in_use().pointee.unpremultiply_row(straight, row, source.size.width)
        return UnsafePointer(straight)
    }
}
