public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a JPEG.
    public static func jpeg(_ options: JPEGOptions = JPEGOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension JPEGOptions: FormatOptions {
    public static var format: ImageFormat { .jpeg }

    public var isLossy: Bool { true }

    /// Measured with photographs of 3 megapixels.
    public var rowsOfWork: Int { effort == .fast ? 1 : 4 }

    public var withoutReductions: JPEGOptions {
        var options = self
        options.reducesLosslessly = false
        return options
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try encoder(context).encode(image, background: context.background)
    }

    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        JPEGEncoder.workingBytes(self, pixels: pixels, isSearched: isSearched)
    }

    func encoder(_ context: EncodingContext) -> JPEGEncoder {
        JPEGEncoder(
            self, metadata: context.metadata, stop: context.stop, parallelism: context.parallelism,
            progress: context.progress, overflow: context.overflow)
    }
}

extension JPEGOptions: RowOptions {
    package func acceptsRows(_ shape: RasterShape, _ colorSpace: ColorSpace) -> Bool {
        guard effort == .fast || encodesInBands(shape.size), shape.alphaMode == .opaque, colorSpace.hasProfile else {
            return false
        }
        // The profile is applied to grey images that turn out to have colours.
        if case .iccProfile(let profile) = colorSpace { return profile.colorModel != .gray }
        return true
    }

    package func workingBytes(rowsOf size: PixelSize) -> Int {
        if encodesInBands(size) { return Int(JPEGBandEncoder.workingBytes(bandPixels: bandPixels)) }
        // libjpeg stores the coefficients of several scans, two bytes each.
        return isProgressive ?? quantization?.isProgressive ?? false ? 6 * (size.pixelCount ?? 0) : 0
    }

    package func rowEncoder(
        _ shape: RasterShape, _ colorSpace: ColorSpace, _ context: EncodingContext
    ) throws(TexelError) -> any RowEncoder {
        try encoder(context).rowEncoder(shape.size, colorSpace)
    }
}

extension JPEGOptions: PlanarOptions {
    package func acceptsPlanes(of info: ImageInfo) -> Bool {
        guard info.format == .jpeg, info.hasPlanes,
            JPEGEncoder.canWritePlanes(info.colorSpace, isGray: info.colorModel == .gray)
        else { return false }
        // If 4:4:4 chroma is to be subsampled, the encoder needs pixels to decide whether and how.
        return effort == .fast || info.chromaSubsampling != "4:4:4" || chromaFactors == (1, 1)
    }

    package func planeEncoder(_ context: EncodingContext) -> any PlaneEncoder { encoder(context) }
}
