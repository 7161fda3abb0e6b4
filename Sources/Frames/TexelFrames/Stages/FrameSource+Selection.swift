import TexelCodecs
import TexelCore
import TexelPixels

extension FrameSource {
    /// Returns a source of the first `count` frames, which reads none after them.
    public func prefix(_ count: Int) -> any FrameSource {
        FrameStage(self, max(0, count)) { left, stage, stop throws(TexelError) in
            guard left > 0, let frame = try stage.source.nextFrame(stop) else { return nil }
            left -= 1
            return frame
        }
    }

    /// Returns a source of every n-th frame, starting with the first. Its rate is reduced accordingly.
    ///
    /// - Parameter step: 1 returns all frames; smaller values count as 1.
    public func sampled(every step: Int) -> any FrameSource {
        let step = max(1, step)
        var format = format
        if let rate = format.rate {
            let (seconds, overflow) = rate.seconds.multipliedReportingOverflow(by: step)
            format.rate = overflow ? nil : FrameRate(reducing: rate.frames, per: seconds)
        }
        return FrameStage(self, format: format, drops: .sampled, false) { hasBegun, stage, stop throws(TexelError) in
            let passedOver = hasBegun ? step - 1 : 0
            hasBegun = true
            for _ in 0..<passedOver {
                guard let dropped = try stage.source.nextFrame(stop) else { return nil }
                _ = consume dropped
                stage.countDrop()
            }
            guard var frame = try stage.source.nextFrame(stop) else { return nil }
            frame.duration = frame.duration.map { $0 * step }
            return frame
        }
    }

    /// Returns a source of one frame per interval: the first one that is not shown before 0, 1, 2 … intervals. Frames
    /// keep their times; the rate is that of the intervals.
    ///
    /// If this source can skip frames (``SeekableFrameSource``), those between are not decoded where that is faster.
    ///
    /// - Parameter interval: At least a millisecond; shorter ones count as that.
    public func sampled(every interval: Duration) -> any FrameSource {
        let interval = max(interval, .milliseconds(1))
        var format = format
        let milliseconds = Int(min(interval / .milliseconds(1), 1e9).rounded())
        format.rate = FrameRate(reducing: 1000, per: milliseconds)
        format.baseRate = nil
        // The state is the number of intervals after which the next frame is due.
        return FrameStage(self, format: format, drops: .sampled, renumbers: true, 0) {
            count, stage, stop throws(TexelError) in
            let due = interval * count
            if count > 0, let source = stage.source as? any SeekableFrameSource { try source.seek(to: due, stop) }
            while let frame = try stage.source.nextFrame(stop) {
                guard frame.time >= due else {
                    stage.countDrop()
                    continue
                }
                count = max(count + 1, Int(frame.time / interval) + 1)
                return frame
            }
            return nil
        }
    }

    /// Returns a source of the frames that are shown in a range of times, or from a frame on. Times then count from the
    /// start of the range.
    ///
    /// What lies before is skipped from key frame to key frame if this source can do that (``SeekableFrameSource``);
    /// otherwise its frames are read and left out. The result is the same.
    ///
    /// - Parameters:
    ///   - start: Where the range begins; this source is at its beginning.
    ///   - end: Frames from this time of the source on are left out; `nil` for none.
    public func range(from start: FrameRangeStart = .time(.zero), to end: Duration? = nil) -> any FrameSource {
        FrameStage(self, renumbers: true, RangeState()) { state, stage, stop throws(TexelError) in
            if state.hasEnded { return nil }
            guard
                var frame = try state.hasBegun
                    ? stage.source.nextFrame(stop) : stage.source.firstFrame(of: start, stop)
            else { return nil }
            if let end, frame.time >= end {
                state.hasEnded = true
                return nil
            }
            if !state.hasBegun {
                state.hasBegun = true
                state.origin = if case .time(let time) = start { time } else { frame.time }
            }
            frame.time -= state.origin
            return frame
        }
    }

    /// Returns the first frame of a range.
    private func firstFrame(of start: FrameRangeStart, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        switch start {
        case .time(.zero): return try nextFrame(stop)
        case .time(let time):
            if let source = self as? any SeekableFrameSource { try source.seek(to: time, stop) }
            while let frame = try nextFrame(stop) {
                if frame.time >= time { return frame }
            }
            return nil
        case .frame(let number):
            if let source = self as? any SeekableFrameSource {
                try source.seek(toFrame: number, stop)
            } else {
                for _ in 0..<number {
                    guard let passed = try nextFrame(stop) else {
                        if stop.isStopped { return nil }
                        throw .missingFrame(number)
                    }
                    _ = consume passed
                }
            }
            if let frame = try nextFrame(stop) { return frame }
            if stop.isStopped { return nil }
            throw .missingFrame(number)
        }
    }
}

/// Where a range of frames begins.
public enum FrameRangeStart: Sendable, Hashable {
    /// With the first frame that is not shown before this time.
    case time(Duration)
    /// With the frame of this number, counted from 0.
    case frame(Int)
}

private struct RangeState {
    var hasBegun = false
    var hasEnded = false
    /// Subtracted from times.
    var origin = Duration.zero
}
