import TexelCodecs
public import TexelCore
public import TexelPixels

/// Writes the samples of frames without headers; the reader must know size and format.
///
/// All frames must have the size of the first.
public final class RawSink: FrameSink {
    private let output: FrameOutput
    private let format: RawFrameFormat
    private let color: YUVColorChoice
    private let background: PixelColor

    /// Opens the destination.
    ///
    /// - Parameters:
    ///   - destination: Where to write.
    ///   - format: The sample format.
    ///   - color: The matrix and range, for YUV formats. The default is what readers assume for frames of this size,
    ///     whatever the source has.
    ///   - background: The colour behind transparent pixels in YUV formats, which have no alpha.
    ///   - stop: Ends the wait for the reader of a pipe.
    /// - Throws: errors of the file, `stopped`.
    public init(
        _ destination: FrameDestination, format: RawFrameFormat, color: YUVColorChoice = YUVColorChoice(),
        background: PixelColor = .black, stop: StopToken = StopToken()
    ) throws(TexelError) {
        output = try FrameOutput(destination, stop: stop)
        self.format = format
        self.color = color
        self.background = background
    }

    public var needsConstantRate: Bool { true }

    public func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
        let layout = SampleLayout(format.sampleFormat(color.color(of: stream.size)), stream.size)
        return Writer(output, try SampleConverter(layout, background: background))
    }

    public func finish() throws(TexelError) { try output.finish() }

    private final class Writer: FrameWriter {
        private let output: FrameOutput
        private let converter: SampleConverter

        init(_ output: FrameOutput, _ converter: SampleConverter) {
            self.output = output
            self.converter = converter
        }

        func prepare(_ frame: borrowing Frame) throws(TexelError) {
            try converter.check(frame)
            if !converter.isSame(frame) { try converter.convert(frame) }
        }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            if converter.isSame(frame) {
                try frame.withUnsafeBytes { (bytes) throws(TexelError) in try output.write(frame: bytes) }
            } else {
                try converter.withUnsafeBytes { (bytes) throws(TexelError) in try output.write(frame: bytes) }
            }
        }
    }
}
