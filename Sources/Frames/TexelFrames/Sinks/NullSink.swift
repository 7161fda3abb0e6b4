/// Discards every frame, to measure the rest of the pipeline.
public final class NullSink: FrameSink {
    /// Creates the sink.
    public init() {}

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer() }

    private final class Writer: FrameWriter {
        func write(_ frame: borrowing Frame) {}
    }
}
