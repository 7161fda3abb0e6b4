public import TexelCodecs
import TexelCore
import TexelPixels

/// Returns the frames of another source in real time: the first at once, the others after the intervals that their
/// times give. Late frames are returned at once. Makes a live source of a file.
public final class PacedSource: FrameSource {
    /// Properties of the wrapped source, as a live one.
    public let format: FrameFormat
    private let source: any FrameSource
    private let clock: any FrameClock
    /// The clock's time that corresponds to time 0 of the stream.
    private let origin = Monitor<Duration?>(nil)

    /// Creates a live source from `source`.
    public init(_ source: any FrameSource, clock: any FrameClock = SystemFrameClock()) {
        self.source = source
        upstream = [source]
        self.clock = clock
        var format = source.format
        format.isLive = true
        self.format = format
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        guard let frame = try source.nextFrame(stop) else { return nil }
        let now = clock.now
        let origin = origin.withLock { origin in
            let begun = origin ?? now - frame.time
            origin = begun
            return begun
        }
        if origin + frame.time > now { clock.sleep(until: origin + frame.time, stop: stop) }
        if stop.isStopped { return nil }
        return frame
    }

    public let upstream: [any FrameSource]
}
