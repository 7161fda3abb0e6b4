public import TexelPixels

/// Takes the frames of a stream.
///
/// What can be done for several frames at a time, converting and encoding, each worker does with a writer of its own;
/// what must be done in order, the writers do in turns.
public protocol FrameSink: AnyObject, Sendable {
    /// Whether somebody watches, so that late frames are better dropped than waited for.
    var isLive: Bool { get }

    /// Whether writers take longer to prepare a frame than it takes to render one, as encoders do.
    var isEncoder: Bool { get }

    /// How many frames it keeps after they were written: those that somebody may still look at. Whoever keeps more keeps
    /// the pipeline from working.
    var framesKept: Int { get }

    /// The pool that frames are rendered into, of at least `capacity` buffers; called once, before the writers are made.
    func makePool(for stream: FrameStream, capacity: Int) throws(FrameError) -> FramePool

    /// A writer for one of the pipeline's workers; called before the first frame, once for each.
    func makeWriter(for stream: FrameStream) throws(FrameError) -> any FrameWriter

    /// Called once, after the last frame, when nothing went wrong.
    func finish() throws(FrameError)
}

extension FrameSink {
    public var isLive: Bool { false }
    public var isEncoder: Bool { false }
    public var framesKept: Int { 0 }
    public func finish() throws(FrameError) {}

    public func makePool(for stream: FrameStream, capacity: Int) throws(FrameError) -> FramePool {
        FramePool(capacity: capacity)
    }
}

/// What is known of the frames that a sink will get.
public struct FrameStream: Sendable, Hashable {
    /// Of the first frame.
    public var size: PixelSize
    public var rate: FrameRate?
    /// Of the source, where it has YUV samples.
    public var color: YUVColor?

    public init(size: PixelSize, rate: FrameRate? = nil, color: YUVColor? = nil) {
        self.size = size
        self.rate = rate
        self.color = color
    }
}

/// One worker's part of a sink. Used by one thread.
public protocol FrameWriter: AnyObject {
    /// Converts or encodes a frame, while other workers do so with others.
    func prepare(_ frame: borrowing Frame) throws(FrameError)

    /// Writes what was prepared, or the frame itself; one worker at a time, in the order of the frames.
    func write(_ frame: borrowing Frame) throws(FrameError)
}

extension FrameWriter {
    public func prepare(_ frame: borrowing Frame) throws(FrameError) {}
}
