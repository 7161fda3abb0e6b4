import TexelCodecs
public import TexelCore
import TexelFormats
import TexelPixels

/// Reads consecutive JPEG images: Motion JPEG from a pipe, concatenated files, the parts of a multipart stream.
///
/// Images may differ in size. An image without an end is passed on to the decoder if another one follows; as the last
/// image it is an error.
public final class JPEGStreamSource: FrameSource {
    private let reader: SharedReader<JPEGStreamReader>

    /// Properties of the stream; the size is that of the first image.
    public var format: FrameFormat { reader.format }

    /// Opens the stream and reads the first image, to know its size.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - options: Overrides and limits.
    ///   - stop: Ends the wait for the first image.
    /// - Throws: `invalidStream`, errors of the codec, errors of the file, `streamFailed`, `stalled`, `stopped`.
    public convenience init(
        _ input: StreamInput, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken()
    ) throws(TexelError) {
        let stream = try ByteStream(input, stallLimit: options.stallLimit)
        try self.init(stream, options: options, stop: stop)
    }

    init(_ stream: consuming ByteStream, options: StreamOptions, stop: StopToken) throws(TexelError) {
        reader = SharedReader(try JPEGStreamReader(stream, options, stop))
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? { try reader.next(stop) }
}

private struct JPEGStreamReader: StreamReader, ~Copyable {
    let format: FrameFormat
    private var stream: ByteStream
    private var scanner: JPEGImageScanner
    private let pool: FramePool
    private let rate: FrameRate
    private let limit: Int
    private var index = 0

    init(_ stream: consuming ByteStream, _ options: StreamOptions, _ stop: StopToken) throws(TexelError) {
        stream.fileReadCount = ByteStream.capacity
        let limit = options.limits.inputBytes
        var scanner = JPEGImageScanner(limit: limit)
        guard try Self.scan(&scanner, &stream, frame: 0, limit, stop) else {
            throw .invalidStream("the stream contains no JPEG image")
        }
        let size = try Self.size(scanner, options.limits)
        rate = options.rate ?? .standard
        format = FrameFormat(size: size, rate: rate, isEncoded: true)
        pool = FramePool(capacity: options.bufferCount)
        self.stream = stream
        self.scanner = scanner
        self.limit = limit
    }

    /// Scans the next image; `false` at the end of the stream.
    private static func scan(
        _ scanner: inout JPEGImageScanner, _ stream: inout ByteStream, frame: Int, _ limit: Int, _ stop: StopToken
    ) throws(TexelError) -> Bool {
        switch try scanner.next(&stream, stop) {
        case .image: return true
        case .end: return false
        case .cut: throw .invalidStream("the stream ends inside frame \(frame), after \(scanner.count) bytes of it")
        case .tooLarge(let count): throw .limitExceeded(.inputBytes, value: count, allowed: limit)
        }
    }

    private static func size(_ scanner: borrowing JPEGImageScanner, _ limits: Limits) throws(TexelError) -> PixelSize {
        let bytes = scanner.withUnsafeBytes { InputBytes($0) }
        return try CodecRegistry.shared.open(bytes, limits: limits).info.displaySize
    }

    mutating func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        // The initialiser has already scanned the first image.
        if index > 0 {
            guard try Self.scan(&scanner, &stream, frame: index, limit, stop) else { return nil }
        }
        // Round up, so that slightly larger images reuse the same buffers.
        let room = max(64 * 1024, scanner.count).roundedUpToPowerOfTwo
        guard var lease = try pool.lease(byteCount: room, stop) else { throw .stopped(.cancelled) }
        let count = scanner.count
        scanner.withUnsafeBytes { bytes in
            lease.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
        }
        defer { index += 1 }
        return SourceFrame(.encoded(lease, count: count), at: index, of: rate)
    }
}

extension Int {
    /// For values in 2..<2⁶²; also correct for 1.
    fileprivate var roundedUpToPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
