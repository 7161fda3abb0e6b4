public import TexelCodecs
public import TexelCore
import TexelJPEG
public import TexelPixels

/// Writes frames as consecutive JPEG images (Motion JPEG), the format of many cameras.
///
/// Frames may differ in size.
public final class MJPEGSink: FrameSink {
    private let output: FrameOutput
    private let encoding: ImageEncoding
    private let background: PixelColor

    /// Opens the destination.
    ///
    /// - Parameters:
    ///   - destination: Where to write.
    ///   - quality: 1…100.
    ///   - subsampling: The chroma subsampling.
    ///   - background: The colour behind transparent pixels; the format has no alpha.
    ///   - stop: Ends the wait for the reader of a pipe.
    /// - Throws: errors of the file, `stopped`.
    public init(
        _ destination: FrameDestination, quality: Int = 80, subsampling: ChromaSubsampling = .automatic,
        background: PixelColor = .black, stop: StopToken = StopToken()
    ) throws(TexelError) {
        output = try FrameOutput(destination, stop: stop)
        // Baseline with the standard Huffman tables, which every Motion JPEG decoder supports. Grey frames keep their
        // chroma components, so that all frames have the same format.
        encoding = .jpeg(
            JPEGOptions(
                quality: quality, subsampling: subsampling, isProgressive: false, effort: .fast,
                reducesLosslessly: false))
        self.background = background
    }

    public var needsConstantRate: Bool { true }
    public var isEncoder: Bool { true }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(output, encoding, background) }

    public func finish() throws(TexelError) { try output.finish() }

    private final class Writer: FrameWriter {
        private let output: FrameOutput
        private let encoding: ImageEncoding
        private let background: PixelColor
        private var bytes: [UInt8] = []

        init(_ output: FrameOutput, _ encoding: ImageEncoding, _ background: PixelColor) {
            self.output = output
            self.encoding = encoding
            self.background = background
        }

        func prepare(_ frame: borrowing Frame) throws(TexelError) {
            bytes = try frame.encoded(as: encoding, background: background)
        }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            try output.write(frame: bytes)
        }
    }
}
