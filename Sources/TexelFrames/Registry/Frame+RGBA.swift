import CPixelKernels
import TexelPixels

extension Frame {
    /// Writes the pixels in the order R, G, B, A, which Flutter's embedder for Linux asks for
    /// (`FlPixelBufferTexture.copy_pixels`).
    ///
    /// - Parameters:
    ///   - destination: Row `y` begins at `y * bytesPerRow`; what lies between the rows is left as it is.
    ///   - bytesPerRow: At least four times the width.
    ///   - premultiplied: Multiplies the colours by alpha where that is straight, as textures for drawing are meant.
    /// - Precondition: The destination has room for all rows.
    public func copyRGBA(
        into destination: UnsafeMutableRawBufferPointer, bytesPerRow: Int, premultiplied: Bool = false
    ) {
        let rowBytes = width * PixelBuffer.bytesPerPixel
        precondition(
            bytesPerRow >= rowBytes && destination.count >= bytesPerRow * (height - 1) + rowBytes,
            "the destination is too small for \(size) pixels")
        let kernels = texel_kernels_in_use()
        let multiplies = premultiplied && alphaMode == .straight
        let (width, height, sourceBytesPerRow) = (width, height, self.bytesPerRow)
        withUnsafeBytes { source in
            guard let from = source.baseAddress, let to = destination.baseAddress else { return }
            for y in 0..<height {
                let row = (to + y * bytesPerRow).assumingMemoryBound(to: UInt8.self)
                let pixels = (from + y * sourceBytesPerRow).assumingMemoryBound(to: UInt8.self)
                kernels.pointee.pack_rgba_row(row, pixels, width)
                // The colours' order does not matter to it.
                if multiplies { kernels.pointee.premultiply_row(row, row, width) }
            }
        }
    }
}
