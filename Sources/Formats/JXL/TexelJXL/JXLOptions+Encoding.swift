public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a JPEG XL.
    public static func jxl(_ options: JXLOptions = JXLOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension JXLOptions: FormatOptions {
    public static var format: ImageFormat { .jxl }

    public var isLossy: Bool { !isLossless }

    /// Measured with photographs of 3 and 12 megapixels.
    public var rowsOfWork: Int {
        switch effort {
        case .fast: isLossless ? 4 : 2
        case .balanced: isLossless ? 14 : 12
        case .best: isLossless ? 30 : 50
        }
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try JXLEncoder(self, context).encode(image)
    }

    /// Measured with photographs of 3 and 12 megapixels: samples, coefficients and, for the best effort, the decoded
    /// image and its comparison.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        switch effort {
        case .fast: pixels * (isLossless ? 73 : 50)
        case .balanced: pixels * (isLossless ? 102 : 88)
        case .best: pixels * (isLossless ? 102 : 272)
        }
    }
}

extension JXLOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { JXLAnimationEncoder.ticksPerSecond }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder {
        try JXLAnimationEncoder(self, properties, context)
    }
}
