import CAVIFShim
public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Reads and writes AVIF files, still and animated, through libavif, which is loaded when it is first used.
///
/// dav1d decodes and libaom encodes. Files of the brand `avif` or `avis` are recognised, also if their major brand is
/// `mif1`, which any coding may have.
public struct AVIFCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .avif }

    public var fileExtensions: [String] { ["avif", "avifs"] }

    public var mediaType: String { "image/avif" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.isLossless = true
        capabilities.readsAnimations = true
        capabilities.writesAnimations = true
        capabilities.subsamplesChroma = true
        capabilities.storesCICP = true
        capabilities.prefersIsolation = true
        capabilities.maximumSide = AVIFEncoder.maximumSide
        capabilities.metadata = [.profile, .exif, .xmp]
        return capabilities
    }

    public var parameters: [Parameter] { AVIFOptions.parameters }

    public func recognizes(_ head: [UInt8]) -> Bool {
        ISOBrands.coding(of: head).map { $0 == "avif" || $0 == "avis" } ?? false
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try AVIFFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { AVIFOptions(settings) }

    /// The decoder keeps the planes of the whole image.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let pixels = Double(info.size.pixelCount ?? .max)
        let samples = info.samplesPerPixel + (info.hasAlpha ? 1 : 0)
        let planes = pixels * samples * AVIFMemory.bytesPerSample(info.bitDepth)
        // The planes of cells are copied to those of the image; the frames of a sequence refer to others.
        let copies = info.coding.contains("grid") || info.isAnimation ? 2.0 : 1
        return planes * copies
    }

    public func loadLibraries() throws(TexelError) { try LoadedLibrary.avif.require() }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.avif.description] }
}

extension AVIFCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { AVIFLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}
