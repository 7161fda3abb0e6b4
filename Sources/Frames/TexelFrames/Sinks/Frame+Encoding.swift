import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

extension Frame {
    /// Encodes the frame without copying its pixels. If all pixels are opaque, no alpha is stored.
    ///
    /// - Parameters:
    ///   - encoding: The format and its options.
    ///   - background: The colour behind transparent pixels in formats without alpha.
    /// - Returns: The bytes of an image file.
    /// - Throws: `cannotEncode` for options or sizes that the format does not support.
    func encoded(as encoding: ImageEncoding, background: PixelColor) throws(TexelError) -> [UInt8] {
        let (width, height, bytesPerRow, alphaMode) = (width, height, bytesPerRow, alphaMode)
        return try withUnsafeBytes { (bytes) throws(TexelError) in
            // The encoder only reads the memory and keeps no reference, so the frame outlives this pixel buffer.
            func pixels(_ alphaMode: AlphaMode) throws(TexelError) -> PixelBuffer {
                return try PixelBuffer(
                    adopting: UnsafeMutableRawBufferPointer(mutating: bytes), width: width, height: height,
                    bytesPerRow: bytesPerRow, alphaMode: alphaMode, deallocator: { _ in })
            }
            var image = try pixels(alphaMode)
            if alphaMode != .opaque, encoding.format.capabilities.hasAlpha, image.isOpaque {
                image = try pixels(.opaque)
            }
            return try image.encoded(as: encoding, background: background)
        }
    }
}
