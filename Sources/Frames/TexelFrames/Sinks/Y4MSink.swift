import Synchronization
import TexelCodecs
public import TexelCore
public import TexelPixels

/// Writes YUV4MPEG2, the format in which video programs exchange uncompressed frames through pipes: a header line, then
/// planes.
///
/// All frames must have the size of the first. The format stores no times, only a rate: that of
/// ``FramePipelineOptions/outputRate``, or 25 frames per second if it is unknown.
public final class Y4MSink: FrameSink {
    private let output: FrameOutput
    private let sampling: ChromaSampling
    private let color: YUVColorChoice
    private let background: PixelColor
    private let hasHeader = Mutex(false)

    /// Opens the destination.
    ///
    /// - Parameters:
    ///   - destination: Where to write.
    ///   - sampling: The chroma subsampling.
    ///   - color: The matrix and range. The default is the matrix that readers assume for frames of this size, because
    ///     the format cannot name it, and the source's range, which the header names.
    ///   - background: The colour behind transparent pixels; the format has no alpha.
    ///   - stop: Ends the wait for the reader of a pipe.
    /// - Throws: errors of the file, `stopped`.
    public init(
        _ destination: FrameDestination, sampling: ChromaSampling = .yuv420, color: YUVColorChoice = YUVColorChoice(),
        background: PixelColor = .black, stop: StopToken = StopToken()
    ) throws(TexelError) {
        output = try FrameOutput(destination, stop: stop)
        self.sampling = sampling
        self.color = color
        self.background = background
    }

    public var needsConstantRate: Bool { true }

    public func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
        var choice = color
        choice.range = choice.range ?? stream.color?.range
        let color = choice.color(of: stream.size)
        try hasHeader.withLock { (hasHeader) throws(TexelError) in
            guard !hasHeader else { return }
            try output.write(Array(Self.header(stream, sampling, color.range).utf8))
            hasHeader = true
        }
        let layout = SampleLayout(.yuv(YUVFormat(sampling), color), stream.size)
        return Writer(output, try SampleConverter(layout, leading: Array("FRAME\n".utf8), background: background))
    }

    public func finish() throws(TexelError) { try output.finish() }

    /// The header line: progressive frames of square pixels. The parameters that begin with X are extensions of
    /// mjpegtools and ffmpeg; none exists for the matrix.
    static func header(_ stream: FrameStream, _ sampling: ChromaSampling, _ range: YUVRange) -> String {
        let rate = stream.rate.map { "\($0.frames):\($0.seconds)" } ?? "25:1"
        // Chroma samples are centred between their four pixels, as in JPEG.
        let colors =
            switch sampling {
            case .yuv420: "C420jpeg XYSCSS=420JPEG"
            case .yuv422: "C422 XYSCSS=422"
            case .yuv444: "C444 XYSCSS=444"
            case .none: "Cmono"
            }
        let size = "W\(stream.size.width) H\(stream.size.height)"
        return "YUV4MPEG2 \(size) F\(rate) Ip A1:1 \(colors) XCOLORRANGE=\(range == .full ? "FULL" : "LIMITED")\n"
    }

    private final class Writer: FrameWriter {
        private let output: FrameOutput
        private let converter: SampleConverter

        init(_ output: FrameOutput, _ converter: SampleConverter) {
            self.output = output
            self.converter = converter
        }

        func prepare(_ frame: borrowing Frame) throws(TexelError) { try converter.convert(frame) }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            try converter.withUnsafeBytes { (bytes) throws(TexelError) in try output.write(frame: bytes) }
        }
    }
}
