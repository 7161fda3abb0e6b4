public import TexelCodecs
import TexelCore
import TexelPixels

/// Returns one frame of another source per interval: the first one that is not shown before 0, 1, 2 … intervals. Frames
/// keep their times.
///
/// If the source can skip frames (``SeekableFrameSource``), those between are not decoded where that is faster.
public final class IntervalSource: FrameSource, FrameDropCounting {
    /// Properties of the wrapped source; the rate is that of the intervals.
    public let format: FrameFormat
    public let upstream: [any FrameSource]
    private let source: any FrameSource
    private let interval: Duration
    private let state = Monitor(State())

    private struct State {
        /// The number of intervals after which the next frame is due.
        var count = 0
        var index = 0
        var dropCount = 0
    }

    /// Creates a source of a frame per interval.
    ///
    /// - Parameters:
    ///   - source: The source to read from.
    ///   - interval: At least a millisecond; shorter ones count as that.
    public init(_ source: any FrameSource, every interval: Duration) {
        self.source = source
        upstream = [source]
        self.interval = max(interval, .milliseconds(1))
        var format = source.format
        let milliseconds = Int(min(self.interval / .milliseconds(1), 1e9).rounded())
        format.rate = FrameRate(reducing: 1000, per: milliseconds)
        format.baseRate = nil
        self.format = format
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            let due = interval * state.count
            if state.count > 0, let source = source as? any SeekableFrameSource { try source.seek(to: due, stop) }
            while var frame = try source.nextFrame(stop) {
                guard frame.time >= due else {
                    state.dropCount += 1
                    continue
                }
                state.count = max(state.count + 1, Int(frame.time / interval) + 1)
                frame.index = state.index
                state.index += 1
                return frame
            }
            return nil
        }
    }

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == .sampled ? state.withLock { $0.dropCount } : 0
    }
}
