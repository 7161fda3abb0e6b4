public import TexelCodecs
public import TexelCore
import TexelPixels

/// Reads a frame of a video as an image, through FFmpeg's libraries, which are loaded when they are first used.
///
/// Without a frame number this is the poster: the first frame that is not black. Videos have no extensions here: a
/// folder of images leaves them out, and a file that is named is recognised by its bytes.
public struct VideoCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .video }

    public var displayName: String { "video" }

    public var fileExtensions: [String] { [] }

    public var mediaType: String { "video/mp4" }

    public var adviceOnWriting: String? { "it is no video encoder; write an image, or frames for an encoder" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.writes = false
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.subsamplesChroma = true
        capabilities.prefersIsolation = true
        capabilities.prefersIsolatedHeaders = true
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { VideoSignature.matches(head) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try VideoImageFile(bytes, limits: limits, stop: stop)
    }

    /// The frames that a decoder refers to, and those of its threads.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        Double(info.size.pixelCount ?? 0) * Double(info.bitDepth > 8 ? 6 : 3) * 20
    }

    public func loadLibraries() throws(TexelError) { try LoadedLibrary.libAV.require() }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.libAV.description] }
}

extension ImageFormat {
    /// Videos, of which an image is one frame.
    public static let video = ImageFormat(rawValue: "video")
}

/// The first bytes of videos.
enum VideoSignature {
    /// Signatures and their offsets.
    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        // ISO base media (MP4, MOV, 3GP) and QuickTime without a list of brands.
        (4, Array("ftyp".utf8)), (4, Array("moov".utf8)), (4, Array("wide".utf8)), (4, Array("mdat".utf8)),
        // Matroska and WebM; ASF; Ogg; Flash; IVF; NUT; YUV4MPEG2; MXF.
        (0, [0x1A, 0x45, 0xDF, 0xA3]), (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), (0, Array("OggS".utf8)),
        (0, Array("FLV\u{1}".utf8)), (0, Array("DKIF".utf8)), (0, Array("nut/multimedia container".utf8)),
        (0, Array("YUV4MPEG2".utf8)), (0, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01]),
        // MPEG program and elementary streams.
        (0, [0, 0, 1, 0xBA]), (0, [0, 0, 1, 0xB3]),
        // Parameter sets of H.264 and H.265, and the delimiters before them.
        (0, [0, 0, 0, 1, 0x67]), (0, [0, 0, 0, 1, 0x09]), (0, [0, 0, 0, 1, 0x40, 0x01]), (0, [0, 0, 0, 1, 0x46, 0x01]),
        // MPEG transport streams: the tables of programs and services, also with times before each packet.
        (0, [0x47, 0x40, 0x00]), (0, [0x47, 0x40, 0x11]), (4, [0x47, 0x40, 0x00]), (4, [0x47, 0x40, 0x11]),
    ]

    /// Whether a file begins like a video.
    ///
    /// - Parameter head: The first 64 bytes, or all if the file has fewer.
    static func matches(_ head: [UInt8]) -> Bool {
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "AVI ".utf8) { return true }
        return signatures.contains { head.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
