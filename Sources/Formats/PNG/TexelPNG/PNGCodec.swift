import CPNGShim
public import TexelCodecs
public import TexelCore
package import TexelPixels

/// Reads PNG and APNG files through libpng and ISA-L, and writes PNG files with Texel's own encoder over libdeflate and
/// zopfli.
public struct PNGCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .png }

    public var fileExtensions: [String] { ["png", "apng"] }

    public var mediaType: String { "image/png" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossless = true
        capabilities.dithers = true
        capabilities.readsAnimations = true
        capabilities.writesAnimations = true
        capabilities.hasPalettes = true
        capabilities.storesCICP = true
        capabilities.maximumSide = PNGEncoder.maximumSide
        capabilities.metadata = [.profile, .exif, .xmp, .comments, .density]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: PNGFile.signature) }

    public func damage(of head: [UInt8]) -> TexelError? {
        PNGFile.isDamagedSignature(head) ? .png(.invalidSignature(Array(head.prefix(8)))) : nil
    }

    /// An interlaced image waits for its last pass, as stored or as pixels.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        guard info.isProgressive else { return 0 }
        let channels =
            switch info.colorModel {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            default: 4
            }
        let stored = Double(channels * info.bitDepth) / 8
        return Double(info.size.pixelCount ?? .max) * min(stored, Double(PixelBuffer.bytesPerPixel))
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try PNGImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { PNGOptions(settings) }

    public var libraries: [LinkedLibrary] {
        [
            LinkedLibrary(name: "libpng", version: String(cString: texel_libpng_version())),
            LinkedLibrary(name: "libdeflate", version: Deflate.libraryVersion),
            LinkedLibrary(name: "ISA-L", version: Inflater.libraryVersion),
            LinkedLibrary(name: "zlib", version: String(cString: texel_zlib_version())),
        ]
    }
}

extension PNGCodec: MetadataLimitingCodec {
    /// XMP is stored as international text, which is UTF-8; other formats store any bytes.
    package func limited(_ metadata: WrittenMetadata) -> WrittenMetadata {
        guard let xmp = metadata.xmp, String(validating: xmp, as: UTF8.self) == nil else { return metadata }
        var stored = metadata
        stored.xmp = nil
        stored.losses.append(MetadataLoss(MetadataLoss.xmp, byteCount: xmp.count, .damaged))
        return stored
    }
}

extension PNGCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { PNGLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}

extension PNGCodec: RecompressingCodec {
    /// Whether the file holds more than one buffer of 8-bit pixels can.
    package func prefersRecompression(
        of info: ImageInfo, compresses: Bool, isLossless: Bool, asksForLoss: Bool
    ) -> Bool {
        info.bitDepth > 8 || info.isAnimation
    }

    /// The samples and two filtered copies.
    package func workingBytes(recompressing info: ImageInfo) -> Double {
        Double(info.size.pixelCount ?? .max) * Double(info.bitDepth) / 8 * 4 * 3
    }

    package var recompressedData: String { "all samples at the stored bit depth" }
    package var recompressionReason: String { "no sample changes; 16-bit samples or several frames are kept" }
}
