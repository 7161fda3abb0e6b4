/// The way an image is processed.
public enum Route: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only metadata changes; no pixel is touched.
    case passthrough
    /// The samples are compressed again, at their own bit depth and with all frames of an animation; or the
    /// coefficients are coded again.
    case recompress
    /// A file is stored in one of another format, or restored from one, byte for byte: a JPEG in a JPEG XL.
    case transcode
    /// Coefficients are moved; nothing is quantised again.
    case losslessTransform = "lossless-transform"
    /// Luma and chroma planes flow from the decoder through the filter to the encoder, without becoming pixels.
    case planar
    /// Rows flow from the decoder through the filter; the source image is never in memory as a whole.
    case streaming
    /// The whole image is decoded into one pixel buffer.
    case buffered
    /// The frames of an animation are processed one after another.
    case animated
}
