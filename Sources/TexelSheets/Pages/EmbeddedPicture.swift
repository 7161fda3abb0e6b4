import TexelCodecs
import TexelPipeline
import TexelPixels

/// A small picture as a page has it: a JPEG, or a PNG where it is transparent.
struct EmbeddedPicture {
    let file: [UInt8]
    let format: ImageFormat

    /// - Parameter quality: a JPEG's, 1…100; `nil` loses nothing.
    /// - Throws: `codec`, `pixels`.
    init(_ picture: PixelBuffer, quality: Int?) throws(PipelineError) {
        // Profiles would be larger than the pictures.
        let picture = try PipelineError.wrapping { () throws(PixelBufferError) in
            try picture.unpremultiplied().convertedToSRGB()
        }
        let encoding: ImageEncoding =
            if let quality, picture.isOpaque {
                .jpeg(JPEGOptions(quality: quality, effort: .fast))
            } else {
                .png(PNGOptions(effort: .fast))
            }
        format = encoding.format
        file = try PipelineError.wrapping { () throws(CodecError) in try picture.encoded(as: encoding) }
    }

    /// The picture itself as an address.
    var address: String { Base64.dataAddress(file, format) }
}
