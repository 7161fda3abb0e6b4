public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Receives the frames of a stream.
///
/// Each worker has its own writer. Writers convert and encode frames in parallel, and write them one at a time in
/// order.
public protocol FrameSink: AnyObject, Sendable {
    /// Whether the output is viewed in real time, so that it is better to drop late frames than to wait for them.
    var isLive: Bool { get }

    /// Whether preparing a frame takes longer than rendering one, as in encoders.
    var isEncoder: Bool { get }

    /// Whether the output stores no times, so that its frames must be evenly spaced. Frames are then repeated or left
    /// out so that each is shown at its time, if the rate of the stream is known.
    var needsConstantRate: Bool { get }

    /// The maximum number of frames that the sink holds after they were written. If it holds more, the pipeline runs
    /// out of buffers and stops.
    var framesKept: Int { get }

    /// Makes the pool of at least `capacity` buffers that frames are rendered into. Called once, before any writer is
    /// made.
    func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool

    /// Makes the writer of one worker. Called once for each worker, before the first frame, and once more if the sink
    /// ``FrameSink/needsConstantRate``: for the frames that are repeated.
    func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter

    /// Completes the output. Called once, after the last frame, unless the run failed.
    func finish() throws(TexelError)
}

extension FrameSink {
    /// `false` by default.
    public var isLive: Bool { false }
    /// `false` by default.
    public var isEncoder: Bool { false }
    /// `false` by default.
    public var needsConstantRate: Bool { false }
    /// 0 by default.
    public var framesKept: Int { 0 }
    /// Does nothing by default.
    public func finish() throws(TexelError) {}

    /// Makes a pool in private memory by default.
    public func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool {
        FramePool(capacity: capacity)
    }
}

/// The properties of the frames that a sink knows in advance.
public struct FrameStream: Sendable, Hashable {
    /// The size of the first frame in pixels.
    public var size: PixelSize
    /// Frames per second; `nil` if unknown.
    public var rate: FrameRate?
    /// The matrix and range of the source, if it has YUV samples, for outputs that name them.
    public var color: YUVColor?
    /// Whether later frames may have transparent pixels even if the first has none.
    public var hasAlpha = false

    /// Creates a description from its properties.
    public init(size: PixelSize, rate: FrameRate? = nil, color: YUVColor? = nil) {
        self.size = size
        self.rate = rate
        self.color = color
    }
}

/// A worker's part of a sink. Used by one thread.
public protocol FrameWriter: AnyObject {
    /// Converts or encodes a frame, in parallel with other workers.
    func prepare(_ frame: borrowing Frame) throws(TexelError)

    /// Writes the prepared frame. Called in the order of the frames, by one worker at a time.
    func write(_ frame: borrowing Frame) throws(TexelError)
}

extension FrameWriter {
    /// Does nothing by default.
    public func prepare(_ frame: borrowing Frame) throws(TexelError) {}
}
