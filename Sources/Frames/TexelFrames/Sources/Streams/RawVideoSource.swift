import TexelCodecs
public import TexelCore
public import TexelPixels

/// Reads consecutive uncompressed images without headers.
public final class RawVideoSource: FrameSource {
    private let reader: SharedReader<RawVideoReader>

    /// Properties of the stream, from the layout.
    public var format: FrameFormat { reader.format }

    /// Opens the stream.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - layout: The layout and size of every image.
    ///   - options: Overrides and limits.
    /// - Throws: `limitExceeded` and `invalidSize` for the layout's size; errors of the file, `streamFailed`.
    public convenience init(
        _ input: StreamInput, layout: SampleLayout, options: StreamOptions = StreamOptions()
    ) throws(TexelError) {
        let stream = try ByteStream(input, stallLimit: options.stallLimit)
        try self.init(stream, layout: layout, options: options)
    }

    init(_ stream: consuming ByteStream, layout: SampleLayout, options: StreamOptions) throws(TexelError) {
        reader = SharedReader(try RawVideoReader(stream, layout, options))
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? { try reader.next(stop) }
}

private struct RawVideoReader: StreamReader, ~Copyable {
    let format: FrameFormat
    private var stream: ByteStream
    private let samples: SampleTaking
    private let rate: FrameRate
    private var index = 0

    init(_ stream: consuming ByteStream, _ layout: SampleLayout, _ options: StreamOptions) throws(TexelError) {
        rate = options.rate ?? .standard
        samples = try SampleTaking(layout, options)
        format = FrameFormat(size: layout.size, rate: rate, color: layout.color)
        self.stream = stream
    }

    mutating func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        guard try stream.buffer(1, stop) else { return nil }
        defer { index += 1 }
        let content = try samples.next(of: &stream, frame: index, stop)
        return SourceFrame(content, at: index, of: rate)
    }
}
