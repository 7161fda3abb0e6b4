import TexelCodecs
import Synchronization

/// Passes at most so many frames a second of another source on, by their presentation times.
///
/// Time is divided into intervals of the rate, beginning with the first frame; the first frame that falls into an
/// interval passes, and those behind it do not. An interval takes a quarter of the one before it along, so that frames
/// whose times were rounded by their file stay even. The last frame of the stream always comes, even where it is one
/// too many: what a stream ends with is what stays to be seen. Frames whose times go back count as too many.
public final class ThrottledSource: FrameSource, FrameDropCounting {
    public let format: FrameFormat
    private let source: any FrameSource
    private let rate: FrameRate
    private let state = Monitor(State())
    private let dropCount = Atomic(0)

    private struct State: ~Copyable {
        var start: Duration?
        /// Of the last frame that passed.
        var interval: Int128 = -1
        /// The last frame that did not pass, and may be the stream's last.
        var held: SourceFrame?
    }

    public init(_ source: any FrameSource, to rate: FrameRate) {
        self.source = source
        self.rate = rate
        var format = source.format
        // Without a rate of its own the stream may be slower than the throttle.
        format.rate = format.rate.map { own in
            // Products of 32 bits each: more than an Int holds.
            let isSlower = Int128(own.frames) * Int128(rate.seconds) <= Int128(rate.frames) * Int128(own.seconds)
            return isSlower ? own : rate
        }
        self.format = format
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            while var frame = try source.nextFrame(stop) {
                let start = state.start ?? frame.time
                state.start = start
                // How long it is to be seen depends on the next that passes.
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

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        source.countDropped(cause) + (cause == .throttled ? dropCount.load(ordering: .relaxed) : 0)
    }

    /// The number of the interval that a time since the first frame falls into.
    private func interval(at time: Duration) -> Int128 {
        let quarters =
            time.attoseconds / 1_000_000_000 * Int128(rate.frames) * 4 / (Int128(rate.seconds) * 1_000_000_000)
        return (quarters + 1) / 4
    }
}
