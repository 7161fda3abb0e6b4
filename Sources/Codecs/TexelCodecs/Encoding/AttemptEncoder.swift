package import TexelCore
package import TexelPixels

/// Encodes one image in several ways; work that they share may be done once.
package protocol AttemptEncoder {
    /// Encodes the image. Encodings may differ in quality, subsampling, effort and palette only.
    mutating func encode(_ encoding: ImageEncoding) throws(TexelError) -> [UInt8]
}

/// Encodes the image anew each time.
package struct IndependentAttempts: AttemptEncoder {
    private let image: PixelBuffer
    private let context: EncodingContext

    package init(_ image: PixelBuffer, _ context: EncodingContext) {
        self.image = image
        self.context = context
    }

    package func encode(_ encoding: ImageEncoding) throws(TexelError) -> [UInt8] {
        try encoding.options.encode(image, context)
    }
}
