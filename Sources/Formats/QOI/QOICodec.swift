public import TexelCodecs
public import TexelCore
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
        capabilities.storesCICP = true
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: QOIHeader.signature) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try QOIImageFile(bytes, limits: limits, stop: stop)
    }

}
