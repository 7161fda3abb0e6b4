public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a WebP.
    public static func webP(_ options: WebPOptions = WebPOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension WebPOptions: FormatOptions {
    public static var format: ImageFormat { .webP }

    /// Measured with an image of 33 megapixels.
    public var rowsOfWork: Int {
        switch effort {
        case .fast: isLossless ? 25 : 4
        case .balanced: isLossless ? 50 : 10
        case .best: isLossless ? 200 : 18
        }
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try WebPEncoder(self, context).encode(image)
    }

    /// Measured with an image of 33 megapixels: planes and tokens, or, for a lossless image, copies of the pixels and
    /// the hash chain.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        switch effort {
        case .fast: pixels * (isLossless ? 13 : 5)
        case .balanced: pixels * (isLossless ? 18 : 5)
        case .best: pixels * (isLossless ? 35 : 9)
        }
    }
}

extension WebPOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { 1000 }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder {
        try WebPAnimationEncoder(self, properties, context)
    }
}
