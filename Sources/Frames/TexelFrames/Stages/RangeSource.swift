public import TexelCodecs
import TexelCore
import TexelPixels

/// Returns the frames of another source that are shown in a range of times, or from a frame on. Times then count from
/// the start of the range.
///
/// What lies before is skipped from key frame to key frame if the source can do that (``SeekableFrameSource``);
/// otherwise its frames are read and left out. The result is the same.
public final class RangeSource: FrameSource {
    /// Where a range begins.
    public enum Start: Sendable, Hashable {
        /// With the first frame that is not shown before this time.
        case time(Duration)
        /// With the frame of this number, counted from 0.
        case frame(Int)
    }

    /// Properties of the wrapped source.
    public let format: FrameFormat
    public let upstream: [any FrameSource]
    private let source: any FrameSource
    private let start: Start
    private let end: Duration?
    private let state: Monitor<State>

    private struct State {
        var hasBegun = false
        var hasEnded = false
        var index = 0
        /// Subtracted from times.
        var origin = Duration.zero
    }

    /// Creates a source of a part of another one.
    ///
    /// - Parameters:
    ///   - source: The source to read from, at its beginning.
    ///   - start: Where the range begins.
    ///   - end: Frames from this time of the source on are left out; `nil` for none.
    public init(_ source: any FrameSource, from start: Start = .time(.zero), to end: Duration? = nil) {
        self.source = source
        upstream = [source]
        self.start = start
        self.end = end
        format = source.format
        state = Monitor(State())
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            if state.hasEnded { return nil }
            guard var frame = try state.hasBegun ? source.nextFrame(stop) : first(stop) else { return nil }
            if let end, frame.time >= end {
                state.hasEnded = true
                return nil
            }
            if !state.hasBegun {
                state.hasBegun = true
                state.origin = if case .time(let time) = start { time } else { frame.time }
            }
            frame.time -= state.origin
            frame.index = state.index
            state.index += 1
            return frame
        }
    }

    /// Returns the first frame of the range.
    private func first(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        switch start {
        case .time(.zero): return try source.nextFrame(stop)
        case .time(let time):
            if let source = source as? any SeekableFrameSource { try source.seek(to: time, stop) }
            while let frame = try source.nextFrame(stop) {
                if frame.time >= time { return frame }
            }
            return nil
        case .frame(let number):
            if let source = source as? any SeekableFrameSource {
                try source.seek(toFrame: number, stop)
            } else {
                for _ in 0..<number {
                    guard let passed = try source.nextFrame(stop) else {
                        if stop.isStopped { return nil }
                        throw .missingFrame(number)
                    }
                    _ = consume passed
                }
            }
            if let frame = try source.nextFrame(stop) { return frame }
            if stop.isStopped { return nil }
            throw .missingFrame(number)
        }
    }
}
