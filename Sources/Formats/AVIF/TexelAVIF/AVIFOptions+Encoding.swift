public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as an AVIF.
    public static func avif(_ options: AVIFOptions = AVIFOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension AVIFOptions: FormatOptions {
    public static var format: ImageFormat { .avif }

    public var isLossy: Bool { !isLossless }

    /// Measured with a photograph of 12 megapixels.
    public var rowsOfWork: Int {
        switch effort {
        case .fast: isLossless ? 60 : 6
        case .balanced: isLossless ? 300 : 35
        case .best: isLossless ? 800 : 200
        }
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try AVIFEncoder(self, context).encode(image)
    }

    /// Measured with images of 12 and 14 megapixels: planes, their copies in libaom, and reconstructions. Alpha does
    /// not raise the peak, because it is encoded by itself.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        if isLossless { return pixels * 30 }
        let isHalved =
            subsampling == .yuv420
            || subsampling == .automatic && effort == .fast
                && quality < AVIFQuality.wholeChroma
        return pixels * (isHalved ? 17 : 25) + (effort == .best ? pixels * 5 : 0)
    }
}

extension AVIFOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { AVIFAnimationEncoder.ticksPerSecond }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder {
        try AVIFAnimationEncoder(self, properties, context)
    }
}
