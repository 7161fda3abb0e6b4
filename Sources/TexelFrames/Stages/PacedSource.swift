import TexelCodecs

/// Gives the frames of another source when they are to be seen: the first when it is asked for, and the others as much
/// later as their times say. Frames that are late already are given at once. A file becomes a live source that way.
public final class PacedSource: FrameSource, FrameDropCounting {
    public let format: FrameFormat
    private let source: any FrameSource
    private let clock: any FrameClock
    /// When the stream's time 0 was, by the clock.
    private let origin = Monitor<Duration?>(nil)

    public init(_ source: any FrameSource, clock: any FrameClock = SystemFrameClock()) {
        self.source = source
        self.clock = clock
        var format = source.format
        format.isLive = true
        self.format = format
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
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

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int { source.countDropped(cause) }
}
