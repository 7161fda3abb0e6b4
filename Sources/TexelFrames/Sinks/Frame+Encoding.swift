import TexelCodecs
import TexelPixels

extension Frame {
    /// The frame as the bytes of a file, encoded where it lies.
    ///
    /// - Throws: `codec(.cannotEncode)` for options or sizes that the format does not have.
    func encoded(as encoding: ImageEncoding, background: PixelColor) throws(FrameError) -> [UInt8] {
        let (width, height, bytesPerRow, alphaMode) = (width, height, bytesPerRow, alphaMode)
        return try withUnsafeBytes { (bytes) throws(FrameError) in
            let picture: PixelBuffer
            do throws(PixelBufferError) {
                // The encoder reads only, and keeps nothing: the memory outlives the picture, and stays the frame's.
                picture = try PixelBuffer(
                    adopting: UnsafeMutableRawBufferPointer(mutating: bytes), width: width, height: height,
                    bytesPerRow: bytesPerRow, alphaMode: alphaMode, deallocator: { _ in })
            } catch {
                throw .pixels(error)
            }
            do throws(CodecError) { return try picture.encoded(as: encoding, background: background) } catch {
                throw .codec(error)
            }
        }
    }
}
