import Synchronization
public import TexelCodecs
import TexelCore
import TexelPixels

/// Limits the frame rate of another source, by presentation times.
///
/// Time is divided into intervals of the target rate, starting at the first frame. The first frame in each interval is
/// returned, the others are dropped. Each interval starts a quarter of its length early, so that frames with rounded
/// times stay evenly spaced. The last frame of the stream is always returned, as it is what remains visible. A frame
/// with an earlier time than one before it is dropped.
public final class ThrottledSource: FrameSource, FrameDropCounting {
    /// Properties of the wrapped source, at no more than the target rate.
    public let format: FrameFormat
    private let source: any FrameSource
    private let rate: FrameRate
    private let state = Monitor(State())
    private let dropCount = Atomic(0)

    private struct State: ~Copyable {
        var start: Duration?
        /// The interval of the last frame that was returned.
        var interval: Int128 = -1
        /// The latest frame that was not returned; it may be the last of the stream.
        var held: SourceFrame?
    }

    /// Creates a source of at most `rate` frames per second.
    public init(_ source: any FrameSource, to rate: FrameRate) {
        self.source = source
        upstream = [source]
        self.rate = rate
        var format = source.format
        // A stream of unknown rate may be slower than the target.
        let limited = { (own: FrameRate) in own.isAtMost(rate.frames, per: rate.seconds) ? own : rate }
        format.rate = format.rate.map(limited)
        format.baseRate = format.baseRate.map(limited)
        self.format = format
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            while var frame = try source.nextFrame(stop) {
                let start = state.start ?? frame.time
                state.start = start
                // Depends on which frame is returned next.
                frame.duration = nil
                if let held = state.held.take() {
                    _ = consume held
                    dropCount.add(1, ordering: .relaxed)
                }
                let interval = interval(at: frame.time - start)
                if interval > state.interval {
                    state.interval = interval
                    return frame
                }
                state.held = consume frame
            }
            return stop.isStopped ? nil : state.held.take()
        }
    }

    public let upstream: [any FrameSource]

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == .throttled ? dropCount.load(ordering: .relaxed) : 0
    }

    /// The index of the interval that a time since the first frame falls into.
    private func interval(at time: Duration) -> Int128 {
        let quarters =
            time.attoseconds / 1_000_000_000 * Int128(rate.frames) * 4 / (Int128(rate.seconds) * 1_000_000_000)
        return (quarters + 1) / 4
    }
}
