public import TexelCodecs
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a WebP.
    public static func webP(_ options: WebPOptions = WebPOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension WebPOptions: FormatOptions {
    public static var format: ImageFormat { .webP }

    public var isLossy: Bool { !isLossless || nearLossless ?? 100 < 100 }

    public var rowsOfWork: Int { 10 }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(CodecError) -> [UInt8] {
        try WebPEncoder(self, context).encode(image)
    }

    /// The planes, and what libwebp keeps of them; or the pixels, and their hash chain, for a lossless image.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double { pixels * (isLossless ? 24 : 8) }
}

extension WebPOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { 1000 }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(CodecError) -> any AnimationEncoder {
        try WebPAnimationEncoder(self, properties, context)
    }
}
