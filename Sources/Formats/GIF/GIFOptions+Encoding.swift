public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a GIF.
    public static func gif(_ options: GIFOptions = GIFOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension GIFOptions: FormatOptions {
    public static var format: ImageFormat { .gif }

    /// A GIF has at most 256 colours, and its pixels are transparent or opaque. Whether an image has more is not known
    /// before it is encoded; one that has not is written without loss.
    public var isLossy: Bool { !isLossless }

    public var rowsOfWork: Int { 40 }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try GIFEncoder(self, context).encode(image)
    }

    /// The pixels with hard edges and those with few colours, their indices, and the file's data twice.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double { pixels * 11 + 4_000_000 }
}

extension GIFOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { 100 }
    /// Browsers show frames of 10 ms for 100 ms.
    package var shortestDelay: FrameDelay? { FrameDelay(2, 100) }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder {
        try GIFAnimationEncoder(self, properties, context)
    }
}
