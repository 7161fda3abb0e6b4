public import TexelCodecs
public import TexelCore
import TexelPixels

/// Reads BMP files, the bitmaps of Windows and OS/2.
public struct BMPCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .bmp }

    public var fileExtensions: [String] { ["bmp", "dib"] }

    /// RFC 7903.
    public var mediaType: String { "image/bmp" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.writes = false
        capabilities.hasAlpha = true
        capabilities.isLossless = true
        capabilities.metadata = [.profile, .density]
        return capabilities
    }

    /// The letters BM are too common to suffice: the size of the header, which no version makes larger than 255 bytes,
    /// must follow if the file has it.
    public func recognizes(_ head: [UInt8]) -> Bool {
        guard head.starts(with: "BM".utf8) else { return false }
        return head.count < 16 || (12...255).contains(Int(head[14]) | Int(head[15]) << 8)
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try BMPImageFile(bytes, limits: limits, stop: stop)
    }

    /// The palette, and the beginnings of the rows of run-length codes.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let isRunLength = info.coding.contains("RLE")
        return 1024 + (isRunLength ? Double(info.size.height * MemoryLayout<BMPRowIndex.Start?>.stride) : 0)
    }
}
