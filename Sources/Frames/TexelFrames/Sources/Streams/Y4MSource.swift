import TexelCodecs
public import TexelCore
import TexelPixels

/// Reads a YUV4MPEG2 stream (`.y4m`), which nearly every video tool can write to a pipe.
///
/// Supports 4:2:0 with any chroma siting, 4:2:2, 4:4:4 and mono, with 8 or 10 bits. The header says whether frames are
/// interlaced, or that each frame's line says it, and the shape of pixels. The range is limited unless the header says
/// otherwise. The header cannot name the matrix, which follows from the size: ``YUVColorChoice/color(of:)``.
/// ``StreamOptions/color`` overrides both.
public final class Y4MSource: FrameSource {
    private let reader: SharedReader<Y4MReader>

    /// Properties of the stream, from its header.
    public var format: FrameFormat { reader.format }

    /// Opens the stream and reads its header.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - options: Overrides and limits.
    ///   - stop: Ends the wait for the header.
    /// - Throws: `invalidStream`, `unsupported`, `limitExceeded`, errors of the file, `streamFailed`, `stalled`,
    ///   `stopped`.
    public convenience init(
        _ input: StreamInput, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken()
    ) throws(TexelError) {
        let stream = try ByteStream(input, stallLimit: options.stallLimit)
        try self.init(stream, options: options, stop: stop)
    }

    init(_ stream: consuming ByteStream, options: StreamOptions, stop: StopToken) throws(TexelError) {
        reader = SharedReader(try Y4MReader(stream, options, stop))
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? { try reader.next(stop) }

    /// Whether the samples are of a kind that this source reads. Takes no bytes.
    static func reads(_ stream: inout ByteStream, _ stop: StopToken) throws(TexelError) -> Bool {
        guard let count = try stream.bufferLine(limit: Y4MHeader.limit, stop) else { return true }
        do throws(TexelError) { _ = try Y4MHeader(stream.firstBytes(count)) } catch {
            if error.kind == .unsupported { return false }
        }
        return true
    }
}

private struct Y4MReader: StreamReader, ~Copyable {
    let format: FrameFormat
    private var stream: ByteStream
    private let samples: SampleTaking
    private let rate: FrameRate
    private let scan: Y4MHeader.Scan
    private var index = 0

    private static let frameMagic: StaticString = "FRAME"
    private static let frameLineLimit = 1024

    init(_ stream: consuming ByteStream, _ options: StreamOptions, _ stop: StopToken) throws(TexelError) {
        guard let count = try stream.bufferLine(limit: Y4MHeader.limit, stop) else {
            throw .invalidStream("the Y4M header does not end with a newline")
        }
        let header = try Y4MHeader(stream.firstBytes(count))
        stream.take(count + 1)
        let color = options.color(of: header.size, range: header.range)
        let layout = SampleLayout(
            .yuv(header.format, color), header.size, aspect: header.pixelAspect ?? .square)
        let shownSize = layout.aspect.applied(to: layout.size)
        // Pixels that are not square may be many times as wide as they are stored.
        try options.limits.checkWhole(shownSize)
        samples = try SampleTaking(layout, options, isInterlaced: header.scan != .progressive)
        scan = header.scan
        rate = header.rate ?? options.rate ?? .standard
        format = FrameFormat(size: shownSize, rate: rate, color: color, fields: scan.fields)
        self.stream = stream
    }

    mutating func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        guard try stream.buffer(1, stop) else { return nil }
        let fields = try takeFrameLine(stop)
        let content = try samples.next(of: &stream, frame: index, stop)
        defer { index += 1 }
        var frame = SourceFrame(content, at: index, of: rate)
        frame.fields = fields
        return frame
    }

    /// Consumes the line with `FRAME` and its parameters, none of which affects the sample layout.
    ///
    /// - Returns: The order of the fields; `nil` for a progressive frame.
    private mutating func takeFrameLine(_ stop: StopToken) throws(TexelError) -> FieldOrder? {
        guard try stream.buffer(Self.frameMagic.utf8CodeUnitCount, stop) else {
            throw .truncated(frame: index, bytesRead: 0, bytes: samples.byteCount)
        }
        guard stream.hasPrefix(Self.frameMagic) else {
            throw .invalidStream("frame \(index) of the Y4M stream does not begin with FRAME")
        }
        guard let count = try stream.bufferLine(limit: Self.frameLineLimit, stop) else {
            guard stream.bufferedCount > Self.frameLineLimit else {
                throw .truncated(frame: index, bytesRead: 0, bytes: samples.byteCount)
            }
            throw .invalidStream("the first line of frame \(index) of the Y4M stream is too long")
        }
        let fields = scan == .mixed ? Y4MHeader.fields(ofFrame: stream.firstBytes(count)) : format.fields
        stream.take(count + 1)
        return fields
    }
}
