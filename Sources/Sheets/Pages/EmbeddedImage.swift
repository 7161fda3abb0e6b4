import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPNG
import TexelPipeline
import TexelPixels

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A small image encoded for a page: a JPEG, or a PNG if it has transparency.
struct EmbeddedImage {
    let file: [UInt8]
    let format: ImageFormat

    /// Encodes an image as sRGB.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - quality: The JPEG quality, 1…100; `nil` for a lossless PNG.
    /// - Throws: errors of the codec, errors of pixels.
    init(_ image: PixelBuffer, quality: Int?) throws(TexelError) {
        // Convert to sRGB: embedded profiles would be larger than the images.
        let image = try image.unpremultiplied().convertedToSRGB()
        let encoding: ImageEncoding =
            if let quality, image.isOpaque {
                .jpeg(JPEGOptions(quality: quality, effort: .fast))
            } else {
                .png(PNGOptions(effort: .fast))
            }
        format = encoding.format
        file = try image.encoded(as: encoding)
    }

    /// The image as a data URL (RFC 2397).
    var address: String { "data:\(format.mediaType);base64,\(Data(file).base64EncodedString())" }
}
