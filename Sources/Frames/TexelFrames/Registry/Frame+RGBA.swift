import CPixelKernels
import TexelPixels

extension Frame {
    /// Copies the pixels in R, G, B, A byte order, as Flutter's Linux embedder expects them
    /// (`FlPixelBufferTexture.copy_pixels`).
    ///
    /// - Parameters:
    ///   - destination: Receives row `y` at byte `y * bytesPerRow`; padding bytes between rows are not written.
    ///   - bytesPerRow: The destination's stride in bytes; at least four times the width.
    ///   - premultiplied: Whether straight colours are multiplied by alpha, as textures for drawing require.
    /// - Precondition: The destination holds all rows.
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
                // Premultiplication does not depend on the order of the colour channels.
                if multiplies { kernels.pointee.premultiply_row(row, row, width) }
            }
        }
    }
}
