public import TexelCodecs
package import TexelPixels

/// Options for writing a JPEG.
///
/// With the effort `fast`, libjpeg's default coding is used; otherwise Texel's own quantisation and the smallest of
/// several scan scripts.
public struct JPEGOptions: Sendable, Hashable {
    /// The quality on libjpeg's scale, 1…100.
    public var quality = EncodingSettings.defaultQuality
    /// A fraction in 0..<1 that a search adds to the quality; ignored for `fast` effort.
    package var qualityFraction = 0.0
    /// The chroma subsampling. `automatic` is 4:2:0, or 4:4:4 where that is estimated to take fewer bytes for the same
    /// look: coloured text, and other saturated details at high qualities. With `fast` effort it is 4:4:4 from quality
    /// 90.
    public var subsampling = ChromaSubsampling.automatic
    /// Whether to write a progressive file; `nil` writes baseline for `fast`, otherwise the smaller of the two.
    public var isProgressive: Bool?
    /// The time to spend. `best` differs from `balanced` only in that it keeps even the largest images whole.
    public var effort = Effort.balanced
    /// Whether an image without colour is written as greyscale.
    public var reducesLosslessly = true
    /// The quantisation tables and subsampling to write, instead of those that ``quality`` and ``subsampling``
    /// would give.
    package var quantization: DCTQuantization?
    /// The largest image, in pixels, that `balanced` effort encodes as a whole. A larger one is encoded in bands, in
    /// little memory and with some more bytes: its file is sequential, and the quality alone decides between 4:2:0 and
    /// 4:4:4.
    package var largestWholeImage = EncodingSettings.largestWholeImage

    /// Creates options; each parameter sets the property of its name.
    public init(
        quality: Int = EncodingSettings.defaultQuality, subsampling: ChromaSubsampling = .automatic,
        isProgressive: Bool? = nil, effort: Effort = .balanced, reducesLosslessly: Bool = true
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.effort = effort
        self.reducesLosslessly = reducesLosslessly
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(
            quality: settings.quality ?? EncodingSettings.defaultQuality, subsampling: settings.subsampling,
            isProgressive: settings.isProgressive, effort: settings.effort)
        quantization = settings.quantization
        largestWholeImage = settings.largestWholeImage
    }

    /// The quality with its fraction; `fast` effort ignores the fraction.
    package var exactQuality: Double { Double(quality) + (effort == .fast ? 0 : qualityFraction) }

    /// Whether Texel's own quantiser chooses the coefficients; otherwise libjpeg rounds them.
    var optimizesCoefficients: Bool { effort != .fast && quantization == nil }

    public var boundsMemory: Bool { effort == .balanced && quantization == nil && isProgressive != true }

    /// Whether Texel's own quantiser works on one band of the image after another.
    func encodesInBands(_ size: PixelSize) -> Bool {
        boundsMemory && (size.pixelCount ?? .max) > largestWholeImage
    }

    /// Whether encoding can begin only with the whole image in memory.
    package func needsWholeImage(_ size: PixelSize) -> Bool { optimizesCoefficients && !encodesInBands(size) }

    /// The number of pixels of a band.
    var bandPixels: Int { largestWholeImage / 64 }

    /// The number of luma samples per chroma sample in each direction.
    package var chromaFactors: (horizontal: Int, vertical: Int) {
        if let quantization { return (quantization.horizontalFactor, quantization.verticalFactor) }
        // Texel's own encoder chooses for each image; planes of half the resolution stay as they are.
        return effort == .fast ? chromaFactorsOfRows : subsampling.factors ?? (2, 2)
    }

    /// The same for pixels that are encoded before the whole image is known.
    var chromaFactorsOfRows: (horizontal: Int, vertical: Int) {
        subsampling.factors ?? (quality >= 90 ? (1, 1) : (2, 2))
    }
}
