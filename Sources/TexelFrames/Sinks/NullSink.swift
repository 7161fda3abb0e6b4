/// Lets every frame go: to measure what comes before.
public final class NullSink: FrameSink {
    public init() {}

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer() }

    private final class Writer: FrameWriter {
        func write(_ frame: borrowing Frame) {}
    }
}
