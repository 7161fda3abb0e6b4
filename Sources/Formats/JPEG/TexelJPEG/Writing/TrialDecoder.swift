import TexelCodecs
import TexelPixels

/// Decodes files that the encoder has made, to compare them with the image. It is handed to the encoder, which does not
/// depend on the decoder.
struct TrialDecoder: Sendable {
    /// Returns the pixels of a file.
    ///
    /// - Throws: any error of the decoder; `stopped`.
    let decode: @Sendable (_ bytes: [UInt8], _ stop: StopToken?) throws(CodecError) -> PixelBuffer
}
