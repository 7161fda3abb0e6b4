public import TexelCodecs
import TexelCore
import TexelPixels

extension FrameSource {
    /// Returns a source of the same frames in real time: the first at once, the others after the intervals that their
    /// times give. Late frames are returned at once. Makes a live source of a file.
    public func paced(clock: any FrameClock = SystemFrameClock()) -> any FrameSource {
        var format = format
        format.isLive = true
        // The state is the clock's time that corresponds to time 0 of the stream.
        return FrameStage(self, format: format, Duration?.none) { origin, stage, stop throws(TexelError) in
            guard let frame = try stage.source.nextFrame(stop) else { return nil }
            let now = clock.now
            let begun = origin ?? now - frame.time
            origin = begun
            if begun + frame.time > now { clock.sleep(until: begun + frame.time, stop: stop) }
            if stop.isStopped { return nil }
            return frame
        }
    }

    /// Returns a source of at most `rate` frames per second, by presentation times.
    ///
    /// Time is divided into intervals of the target rate, starting at the first frame. The first frame in each interval
    /// is returned, the others are dropped. Each interval starts a quarter of its length early, so that frames with
    /// rounded times stay evenly spaced. The last frame of the stream is always returned, as it is what remains
    /// visible. A frame with an earlier time than one before it is dropped.
    public func throttled(to rate: FrameRate) -> any FrameSource {
        var format = format
        // A stream of unknown rate may be slower than the target.
        let limited = { (own: FrameRate) in own.isAtMost(rate.frames, per: rate.seconds) ? own : rate }
        format.rate = format.rate.map(limited)
        format.baseRate = format.baseRate.map(limited)
        return FrameStage(self, format: format, drops: .throttled, ThrottleState()) {
            state, stage, stop throws(TexelError) in
            while var frame = try stage.source.nextFrame(stop) {
                let start = state.start ?? frame.time
                state.start = start
                // Depends on which frame is returned next.
                frame.duration = nil
                if let held = state.held.take() {
                    _ = consume held
                    stage.countDrop()
                }
                let interval = rate.limitedInterval(at: frame.time - start)
                if interval > state.interval {
                    state.interval = interval
                    return frame
                }
                state.held = consume frame
            }
            return stop.isStopped ? nil : state.held.take()
        }
    }
}

private struct ThrottleState: ~Copyable {
    var start: Duration?
    /// The interval of the last frame that was returned.
    var interval: Int128 = -1
    /// The latest frame that was not returned; it may be the last of the stream.
    var held: SourceFrame?
}
