public import TexelCodecs
import TexelPixels

/// Reads a NUT stream of uncompressed video, as `ffmpeg -c:v rawvideo -f nut` writes it: the only format in which exact
/// times of a variable frame rate pass through a pipe.
///
/// Reads the first video stream, in the pixel formats of Y4M, NV12, BGRA and RGBA. Times count from 0; if the first
/// frame has a negative time, from that frame. Checksums of headers, syncpoints and frame headers are verified.
public final class NUTSource: FrameSource {
    private let reader: SharedReader<NUTReader>

    /// Properties of the stream, from its headers.
    public var format: FrameFormat { reader.format }

    /// Opens the stream and reads its headers.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - options: Overrides and limits.
    ///   - stop: Ends the wait for the headers.
    /// - Throws: `invalidStream`, `unsupported`, `codec(.limitExceeded)`, `file`, `cannotRead`, `stalled`, `stopped`.
    public convenience init(
        _ input: StreamInput, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken()
    ) throws(FrameError) {
        let stream = try ByteStream(input, stallLimit: options.stallLimit)
        try self.init(stream, options: options, stop: stop)
    }

    init(_ stream: consuming ByteStream, options: StreamOptions, stop: StopToken) throws(FrameError) {
        reader = SharedReader(try NUTReader(stream, options, stop))
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? { try reader.next(stop) }

    static let magic: StaticString = "nut/multimedia container\0"
}

struct NUTReader: StreamReader, ~Copyable {
    let format: FrameFormat
    private var fields: NUTFields
    private let main: NUTMainHeader
    private let video: NUTStreamHeader
    private let samples: SampleTaking
    private var index = 0
    /// The time of the previous frame or syncpoint, in ticks of the stream's time base.
    private var lastTick = 0
    /// Subtracted from all times; set by the first frame.
    private var origin: Duration?

    init(_ stream: consuming ByteStream, _ options: StreamOptions, _ stop: StopToken) throws(FrameError) {
        let magicCount = NUTSource.magic.utf8CodeUnitCount
        guard try stream.buffer(magicCount, stop) else { throw NUTFields.cutHeaders }
        guard stream.hasPrefix(NUTSource.magic) else {
            throw .invalidStream("the stream does not begin with the NUT signature")
        }
        stream.take(magicCount)
        var fields = NUTFields(stream)
        guard try fields.beginPacket(stop) == NUTStartCode.main else {
            throw .invalidStream("the NUT stream has no main header")
        }
        try fields.loadPacket(stop)
        let main = try NUTMainHeader(&fields, stop)
        fields.endPacket()
        let video = try Self.videoStream(&fields, main, stop)
        let rate = try Self.rate(&fields, video, stop) ?? options.rate

        let color = options.color(of: video.size, matrix: video.color?.matrix, range: video.color?.range)
        let samples = try SampleTaking(try video.layout(color: color), options)
        format = FrameFormat(size: video.size, rate: rate, color: samples.layout.color)
        self.fields = fields
        self.main = main
        self.video = video
        self.samples = samples
    }

    /// Reads the headers of all streams and returns the first of video.
    private static func videoStream(
        _ fields: inout NUTFields, _ main: NUTMainHeader, _ stop: StopToken
    ) throws(FrameError) -> NUTStreamHeader {
        var video: NUTStreamHeader?
        var streamCount = 0
        while streamCount < main.streamCount {
            guard try fields.beginPacket(stop) == NUTStartCode.stream else {
                try fields.skipPacket(stop)
                continue
            }
            try fields.loadPacket(stop)
            let header = try NUTStreamHeader(&fields, main, stop)
            if header.isVideo, video == nil { video = header }
            fields.endPacket()
            streamCount += 1
        }
        guard let video else { throw .invalidStream("the NUT stream has no video stream") }
        return video
    }

    /// Reads the packets before the first syncpoint, for the frame rate.
    private static func rate(
        _ fields: inout NUTFields, _ video: NUTStreamHeader, _ stop: StopToken
    ) throws(FrameError) -> FrameRate? {
        var rate: FrameRate?
        while try fields.stream.buffer(8, stop), fields.stream.byte(0) == UInt8(ascii: "N"),
            fields.stream.byte(1) != UInt8(truncatingIfNeeded: NUTStartCode.syncPoint >> 48)
        {
            guard try fields.beginPacket(stop) == NUTStartCode.info else {
                try fields.skipPacket(stop)
                continue
            }
            try fields.loadPacket(stop)
            rate = try NUTInfo.rate(of: video.number, &fields, stop) ?? rate
            fields.endPacket()
        }
        return rate
    }

    mutating func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        fields.endError = .truncated(frame: index, bytesRead: 0, bytes: samples.byteCount)
        while try fields.stream.buffer(1, stop) {
            guard fields.stream.byte(0) != UInt8(ascii: "N") else {
                try readPacket(stop)
                continue
            }
            let header = try readFrameHeader(stop)
            guard header.isImage else {
                guard try fields.stream.skip(header.byteCount, stop) == header.byteCount else { throw fields.endError }
                continue
            }
            guard header.byteCount == samples.byteCount else {
                throw .invalidStream(
                    "frame \(index) of the NUT stream has \(header.byteCount) bytes instead of \(samples.byteCount)")
            }
            guard let time = video.timeBase.time(of: header.tick) else { throw impossibleTime }
            let origin = origin ?? min(.zero, time)
            self.origin = origin
            let content = try samples.next(of: &fields.stream, frame: index, stop)
            defer { index += 1 }
            return SourceFrame(content, time: time - origin, index: index)
        }
        return nil
    }

    private var impossibleTime: FrameError {
        .invalidStream("frame \(index) of the NUT stream has an invalid time")
    }

    /// Reads a syncpoint; skips all other packets, which repeat headers or hold an index.
    private mutating func readPacket(_ stop: StopToken) throws(FrameError) {
        guard try fields.beginPacket(stop) == NUTStartCode.syncPoint else { return try fields.skipPacket(stop) }
        try fields.loadPacket(stop)
        let (tick, timeBase) = try fields.number(stop).quotientAndRemainder(dividingBy: main.timeBases.count)
        fields.endPacket()
        guard let tick = video.timeBase.tick(of: tick, by: main.timeBases[timeBase]), abs(tick) < 1 << 62 else {
            throw impossibleTime
        }
        lastTick = tick
    }

    private struct FrameHeader {
        /// Whether it is a frame of the video stream, and not its end-of-stream mark.
        var isImage: Bool
        var tick: Int
        var byteCount: Int
    }

    private mutating func readFrameHeader(_ stop: StopToken) throws(FrameError) -> FrameHeader {
        fields.begin()
        let code = main.frameCodes[Int(try fields.byte(stop))]
        var flags = code.flags
        if flags.contains(.codedFlags) {
            flags.formSymmetricDifference(NUTFrameCode.Flags(rawValue: try fields.number(stop)))
        }
        guard !flags.contains(.invalid) else {
            throw .invalidStream("frame \(index) of the NUT stream begins with an invalid code")
        }
        let streamNumber = flags.contains(.streamNumber) ? try fields.number(stop) : code.streamNumber
        let codedTime = flags.contains(.codedTime) ? try fields.number(stop) : nil
        let codedSize = flags.contains(.codedSize) ? try fields.number(stop) : 0
        if flags.contains(.matchTime) { _ = try fields.signedNumber(stop) }
        let headerIndex = flags.contains(.headerIndex) ? try fields.number(stop) : code.headerIndex
        let reservedCount = flags.contains(.reserved) ? try fields.number(stop) : code.reservedCount
        for _ in 0..<reservedCount { _ = try fields.number(stop) }
        if flags.contains(.checksum) { try fields.checkFields("frame header", stop) }
        fields.finish()

        let (size, overflow) = codedSize.multipliedReportingOverflow(by: code.sizeFactor)
        guard !overflow, size < Int.max / 2 else {
            throw .invalidStream("frame \(index) of the NUT stream has an invalid size")
        }
        var header = FrameHeader(isImage: false, tick: 0, byteCount: size + code.sizeRest)
        guard streamNumber == video.number else { return header }
        header.isImage = !flags.contains(.endOfStream)
        guard !header.isImage || headerIndex == 0, !flags.contains(.sideData) else {
            throw .unsupported("NUT video with side data or elision headers")
        }
        lastTick = codedTime.map { video.tick(coded: $0, after: lastTick) } ?? lastTick + code.timeStep
        guard abs(lastTick) < 1 << 62 else { throw impossibleTime }
        header.tick = lastTick
        return header
    }
}

extension NUTStreamHeader {
    /// Decodes a time: coded values of 2^`timeBits` or more hold the full time, smaller ones its low bits.
    fileprivate func tick(coded: Int, after last: Int) -> Int {
        guard coded < 1 << timeBits else { return coded - 1 << timeBits }
        let mask = 1 << timeBits - 1
        let lowest = last - mask / 2
        return (coded - lowest) & mask + lowest
    }
}
