import Synchronization
public import TexelCodecs

/// Returns the first frames of another source and does not read any after them.
public final class PrefixSource: FrameSource {
    /// Properties of the wrapped source.
    public let format: FrameFormat
    private let source: any FrameSource
    private let left: Atomic<Int>

    /// Creates a source of the first `count` frames.
    public init(_ source: any FrameSource, count: Int) {
        self.source = source
        upstream = [source]
        format = source.format
        left = Atomic(max(0, count))
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        guard left.load(ordering: .relaxed) > 0, let frame = try source.nextFrame(stop) else { return nil }
        left.subtract(1, ordering: .relaxed)
        return frame
    }

    public let upstream: [any FrameSource]
}
