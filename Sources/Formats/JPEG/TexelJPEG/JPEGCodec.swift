import CJPEGShim
public import TexelCodecs
public import TexelCore
package import TexelPixels

/// Reads and writes JPEG files through libjpeg-turbo, and with Texel's own encoder for the efforts above `fast`.
public struct JPEGCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .jpeg }

    public var fileExtensions: [String] { ["jpg", "jpeg", "jpe", "jfif"] }

    public var mediaType: String { "image/jpeg" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.isLossy = true
        capabilities.hasProcesses = true
        capabilities.subsamplesChroma = true
        capabilities.reusesQuantization = true
        capabilities.maximumSide = JPEGFileWriter.maximumSide
        capabilities.metadata = [.profile, .exif, .xmp, .iptc, .comments, .density]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: [0xFF, 0xD8, 0xFF]) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try JPEGImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { JPEGOptions(settings) }

    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        guard let layout = info.coefficientLayout else { return 0 }
        return Double(shrink == 8 ? layout.eighthDecodingByteCount : layout.decodingByteCount)
    }

    public var libraries: [LinkedLibrary] {
        [LinkedLibrary(name: "libjpeg-turbo", version: String(cString: texel_libjpeg_version()))]
    }
}

extension JPEGCodec: MetadataLimitingCodec {
    package func limited(_ metadata: WrittenMetadata) -> WrittenMetadata { JPEGSegments.limited(metadata) }
}

extension JPEGCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { JPEGLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        JPEGAttempts(image, context)
    }
}

extension JPEGCodec: RecompressingCodec {
    /// Whether the coefficients must be kept. CMYK files stay CMYK only in this way, because pixels are RGB.
    package func prefersRecompression(
        of info: ImageInfo, compresses: Bool, isLossless: Bool, asksForLoss: Bool
    ) -> Bool {
        compresses && !asksForLoss && (isLossless || info.isCMYK)
    }

    /// The coefficients, a copy and the symbol counts.
    package func workingBytes(recompressing info: ImageInfo) -> Double {
        Double(info.coefficientLayout?.byteCount ?? 0) * 2.5
    }

    package var recompressedData: String { "all coefficients" }
    package var recompressionReason: String { "coefficients are kept and coded again" }
}

/// Encodes an image repeatedly; the samples and their DCT coefficients are computed once.
private struct JPEGAttempts: AttemptEncoder {
    private let image: PixelBuffer
    private let context: EncodingContext
    /// Created on the first encoding with Texel's own encoder.
    private var candidates: JPEGCandidateEncoder?

    init(_ image: PixelBuffer, _ context: EncodingContext) {
        self.image = image
        self.context = context
    }

    mutating func encode(_ encoding: ImageEncoding) throws(TexelError) -> [UInt8] {
        guard let options = encoding.options as? JPEGOptions, options.effort != .fast else {
            return try encoding.options.encode(image, context)
        }
        if candidates == nil {
            candidates = try options.encoder(context).candidates(of: image, background: context.background)
        }
        if let bytes = try candidates?.encode(quality: options.exactQuality, options.subsampling) { return bytes }
        return try options.encode(image, context)
    }
}
