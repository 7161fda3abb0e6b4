import TexelCodecs
import TexelCore
import TexelMetrics
import TexelPixels

/// An opened video, of which one frame is the image.
struct VideoImageFile: ImageFile {
    let bytes: InputBytes
    let info: ImageInfo

    /// Reads the headers. A codec reads forwards and backwards, so the whole file must have arrived.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        let video = try Video(.bytes(MemoryVideoBytes(bytes), name: nil), limits: limits, threads: 1, stop: stop)
        info = ImageInfo(video.info)
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try VideoFrameDecoder(bytes, info, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        throw .unsupported("changing the metadata of a video")
    }
}

extension ImageInfo {
    fileprivate init(_ video: VideoInfo) {
        let model: ColorModel =
            video.isRGB
            ? (video.hasAlpha ? .rgba : .rgb) : video.pixelFormat?.hasPrefix("gray") == true ? .gray : .yCbCr
        self.init(
            format: .video, size: video.pixelAspect.applied(to: video.size),
            orientation: video.orientation ?? .identity, colorModel: model, bitDepth: min(video.bitDepth, 16),
            hasAlpha: video.hasAlpha, coding: video.codec + (video.profile.map { ", \($0)" } ?? ""))
        self.video = video
    }
}

/// Decodes a frame of a video as a whole.
final class VideoFrameDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace = ColorSpace.sRGB
    private let image: PixelBuffer
    private let faults: StreamFaults
    private var rowsRead = 0

    /// How many frames are searched for one that is not black.
    private static let posterLimit = 500

    init(_ bytes: InputBytes, _ info: ImageInfo, _ options: DecodeOptions) throws(TexelError) {
        var faults = StreamFaults()
        let video = try Video(
            .bytes(MemoryVideoBytes(bytes), name: nil), limits: options.policy.limits,
            threads: options.parallelism, stop: options.stop)
        if let frame = options.frame, frame > 0 { try video.seek(toFrame: frame, options.stop) }
        let image = try Self.image(of: video, isPoster: options.frame == nil, options)
        faults.add(video.takeFaults())
        if options.policy.strictness.rejects(faults) { throw .damaged(.video, .corrupt("\(faults)")) }
        self.image = image
        self.faults = faults
        (size, alphaMode) = (image.size, image.alphaMode)
    }

    /// Returns the next frame, or the first one after it that is not black; if all are, the next one.
    private static func image(
        of video: Video, isPoster: Bool, _ options: DecodeOptions
    ) throws(TexelError) -> PixelBuffer {
        var first: PixelBuffer?
        for _ in 0..<posterLimit {
            guard let frame = try video.next(options.stop) else { break }
            try options.policy.limits.checkWhole(frame.picture.size)
            let image = try frame.planes().pixels(areInterlaced: frame.picture.fields != nil)
            guard isPoster, try image.isPracticallyBlack(threads: options.parallelism) else { return image }
            first = first ?? image
        }
        guard let first else {
            throw options.frame.map { .missingFrame($0) } ?? .invalidStream("the video has no frames")
        }
        return first
    }

    func wholeImage() throws(TexelError) -> PixelBuffer? { rowsRead == 0 ? image : nil }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        let first = rowsRead
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<count {
                (rows + y * bytesPerRow).copyMemory(
                    from: base + (first + y) * image.bytesPerRow, byteCount: size.width * PixelBuffer.bytesPerPixel)
            }
        }
        rowsRead += count
    }

    func finish() throws(TexelError) -> DecoderResult {
        DecoderResult(warnings: faults.isEmpty ? [] : ["\(faults)"], hasDamagedPixels: !faults.isEmpty)
    }
}
