public import TexelCodecs
public import TexelCore

/// Reads and writes the formats of Netpbm: PBM, PGM and PPM with decimal or binary samples (P1 to P6), and PAM (P7).
///
/// One format stands for all of them, because the content of a file distinguishes them, whatever its extension is.
public struct PNMCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .ppm }

    public var fileExtensions: [String] { ["ppm", "pgm", "pbm", "pnm", "pam"] }

    public var mediaType: String { "image/x-portable-anymap" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossless = true
        capabilities.hasEfforts = false
        capabilities.readsPages = true
        capabilities.dithers = true
        capabilities.metadata = [.comments]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { PNMHeader.recognizes(head) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try PNMImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { PNMOptions(settings) }

    /// A row of samples, and a table for a maxval of two bytes.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        Double(info.size.width) * 4 + (info.bitDepth > 8 ? 65_536 : 256)
    }
}
