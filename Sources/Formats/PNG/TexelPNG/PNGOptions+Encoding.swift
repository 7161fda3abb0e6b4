public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a PNG.
    public static func png(_ options: PNGOptions = PNGOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension PNGOptions: AnimatedOptions {
    package var frameTicksPerSecond: Int? { nil }

    package func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder {
        try PNGAnimationEncoder(self, properties, context)
    }
}

extension PNGOptions: FormatOptions {
    public static var format: ImageFormat { .png }

    public var isLossy: Bool { palette != nil }

    /// Measured with photographs of 3 megapixels.
    public var rowsOfWork: Int {
        switch effort {
        case .fast: 2
        case .balanced: palette != nil ? 12 : compresses ? 40 : 8
        case .best: 200
        }
    }

    public var withoutReductions: PNGOptions {
        var options = self
        options.reducesLosslessly = false
        return options
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try PNGEncoder(
            self, metadata: context.metadata, stop: context.stop, parallelism: context.parallelism,
            progress: context.progress
        ).encode(image)
    }
}

extension PNGOptions: RowOptions {
    package func acceptsRows(_ shape: RasterShape, _ colorSpace: ColorSpace) -> Bool {
        guard effort == .fast, palette == nil, shape.alphaMode != .premultiplied else { return false }
        // A grey profile is applied to images that turn out to have colours.
        if case .iccProfile(let profile) = colorSpace { return profile.colorModel != .gray }
        return true
    }

    package func workingBytes(rowsOf size: PixelSize) -> Int {
        // The pixels that are held back, and bands on their way.
        2 * PNGEffort.windowPixels * PixelBuffer.bytesPerPixel
    }

    package func rowEncoder(
        _ shape: RasterShape, _ colorSpace: ColorSpace, _ context: EncodingContext
    ) throws(TexelError) -> any RowEncoder {
        try PNGRowEncoder(self, shape, colorSpace, context)
    }
}
