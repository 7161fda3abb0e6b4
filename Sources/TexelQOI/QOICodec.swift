public import TexelCodecs
import TexelPixels

/// Reads QOI files (qoiformat.org, specification 1.0).
public struct QOICodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .qoi }

    public var fileExtensions: [String] { ["qoi"] }

    /// Not registered; the format's own documentation suggests it.
    public var mediaType: String { "image/qoi" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.writes = false
        capabilities.hasAlpha = true
        capabilities.isLossless = true
        // The header says whether samples are linear.
        capabilities.storesCodePoints = true
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: QOIHeader.signature) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(CodecError) -> any ImageFile {
        try QOIImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> any FormatOptions { QOIOptions() }
}

/// Stands for options where none can be used: the format is only read.
struct QOIOptions: FormatOptions {
    static var format: ImageFormat { .qoi }

    var isLossy: Bool { false }

    func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(CodecError) -> [UInt8] {
        throw .cannotEncode("Texel does not write QOI")
    }
}
