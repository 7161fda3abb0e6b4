public import TexelCodecs
public import TexelCore
package import TexelPixels

/// Reads and writes GIF files, still and animated, without a library.
public struct GIFCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .gif }

    public var fileExtensions: [String] { ["gif"] }

    public var mediaType: String { "image/gif" }

    /// Neither lossy nor lossless: there is no quality, and images of more than 256 colours lose some, or are refused
    /// (``GIFOptions/isLossless``).
    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.readsAnimations = true
        capabilities.writesAnimations = true
        capabilities.hasPalettes = true
        capabilities.maximumSide = GIFPixels.maximumSide
        capabilities.metadata = [.xmp, .comments]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool {
        head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8)
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try GIFImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { GIFOptions(settings) }

    /// The tables of LZW, some rows, and all indices of an interlaced image.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let tables = 75_000 + Double(info.size.width)
        return info.isProgressive ? tables + Double(info.size.pixelCount ?? .max) : tables
    }
}

extension GIFCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { GIFLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}
