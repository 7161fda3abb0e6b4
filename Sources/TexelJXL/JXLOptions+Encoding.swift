public import TexelCodecs
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a JPEG XL.
    public static func jxl(_ options: JXLOptions = JXLOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension JXLOptions: FormatOptions {
    public static var format: ImageFormat { .jxl }

    public var isLossy: Bool { !isLossless }

    public var rowsOfWork: Int {
        switch effort {
        case .fast: isLossless ? 25 : 4
        case .balanced: isLossless ? 50 : 10
        case .best: isLossless ? 200 : 18
        }
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(CodecError) -> [UInt8] {
        try JXLEncoder(self, context).encode(image)
    }

    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        pixels * (isLossless ? 60 : 60)
    }
}

extension JXLOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { JXLAnimationEncoder.ticksPerSecond }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(CodecError) -> any AnimationEncoder {
        try JXLAnimationEncoder(self, properties, context)
    }
}
