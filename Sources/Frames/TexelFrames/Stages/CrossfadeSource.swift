import Synchronization
import TexelCodecs
public import TexelCore
import TexelPixels

/// Plays one source and then another, with a crossfade between them.
///
/// - Before the fade, the first source's frames are returned; after it, the second's. Times of the second source count
///   from the start of the fade.
/// - During the fade, each frame of the first source is blended with the latest one of the second, with increasing
///   weight. At the end of the fade, the second source's latest frame is returned alone.
/// - If the first source ends before the fade, the second starts there without a fade. If it ends during the fade, its
///   last image is blended with the second source's frames until the end of the fade.
/// - If the second source ends during the fade, its last frame is used until the end of the fade, where the stream
///   ends.
///
/// The second source is not called before the fade.
public final class CrossfadeSource: FrameSource, FrameDropCounting {
    /// Properties of the stream: the first source's; live if one of them is.
    public let format: FrameFormat
    private let first: any FrameSource
    private let second: any FrameSource
    private let duration: Duration
    private let state: Monitor<State>
    private let dropCount = Atomic(0)

    private struct State: ~Copyable {
        enum Phase { case first, fading, second }

        var phase = Phase.first
        /// When the second source starts.
        var start: Duration
        var index = 0
        /// When the last frame of the first source ends.
        var end = Duration.zero
        /// The latest image of the first source during the fade.
        var base: SourceFrame?
        /// The second source's frame shown at the current time, with its time in this stream.
        var current: SourceFrame?
        var currentWasSeen = false
        /// The second source's frame after `current`.
        var upcoming: SourceFrame?
        var secondHasEnded = false
    }

    /// Creates a source from two others.
    ///
    /// - Parameters:
    ///   - first: The source to play first.
    ///   - second: The source to play second.
    ///   - start: The start of the fade, in the first source's time.
    ///   - duration: The duration of the fade; 0 is a cut.
    public init(
        _ first: any FrameSource, _ second: any FrameSource, at start: Duration, duration: Duration
    ) {
        self.first = first
        self.second = second
        upstream = [first, second]
        self.duration = max(.zero, duration)
        var format = first.format
        format.isLive = first.format.isLive || second.format.isLive
        if format.color != second.format.color { format.color = nil }
        if format.fields != second.format.fields { format.fields = nil }
        self.format = format
        state = Monitor(State(start: max(.zero, start)))
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try state.withLock { (state) throws(TexelError) -> SourceFrame? in
            guard var frame = try next(&state, stop), !stop.isStopped else { return nil }
            frame.index = state.index
            state.index += 1
            return frame
        }
    }

    private func next(_ state: inout State, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        if state.phase == .first || state.phase == .fading {
            if let frame = try first.nextFrame(stop) {
                if frame.time < state.start {
                    state.end = frame.time + (frame.duration ?? first.format.rate?.interval ?? .zero)
                    return frame
                }
                if frame.time < state.start + duration {
                    state.phase = .fading
                    return try faded(frame, &state, stop)
                }
                dropCount.add(1, ordering: .relaxed)
            } else if state.phase == .first {
                // The first source ended before the fade.
                state.start = min(state.start, state.end)
                state.phase = .second
                return try secondAlone(&state, stop)
            } else if let frame = try secondOverLast(&state, stop) {
                return frame
            }
            state.phase = .second
            state.base = nil
            return try secondAtEndOfFade(&state, stop)
        }
        return try secondAlone(&state, stop)
    }

    /// Returns a frame of the first source, blended with the latest one of the second.
    private func faded(
        _ frame: consuming SourceFrame, _ state: inout State, _ stop: StopToken
    ) throws(TexelError) -> SourceFrame? {
        try advanceSecond(to: frame.time, &state, stop)
        var base = SourceFrame(frame.content.shared(), time: frame.time, index: 0)
        base.fields = frame.fields
        state.base = consume base
        if let current = state.current.take() {
            frame.overlay = overlay(current, at: frame.time, state.start)
            state.current = consume current
            state.currentWasSeen = true
        }
        return frame
    }

    /// Returns the next frame of the second source within the fade, blended with the last image of the first; `nil` if
    /// there is none.
    private func secondOverLast(_ state: inout State, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try readUpcoming(&state, stop)
        guard let upcoming = state.upcoming.take() else { return nil }
        guard upcoming.time < state.start + duration, let base = state.base.take() else {
            state.upcoming = consume upcoming
            return nil
        }
        var frame = SourceFrame(base.content.shared(), time: upcoming.time, duration: upcoming.duration, index: 0)
        frame.fields = base.fields
        frame.overlay = overlay(upcoming, at: upcoming.time, state.start)
        state.base = consume base
        state.current = consume upcoming
        state.currentWasSeen = true
        return frame
    }

    /// Returns the second source's latest frame, from the end of the fade on.
    private func secondAtEndOfFade(_ state: inout State, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        let end = state.start + duration
        try advanceSecond(to: end, &state, stop)
        guard var current = state.current.take() else { return try secondAlone(&state, stop) }
        // The rest of its duration.
        current.duration = current.duration.map { max(.zero, current.time + $0 - end) }
        current.time = end
        return current
    }

    private func secondAlone(_ state: inout State, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try readUpcoming(&state, stop)
        return state.upcoming.take()
    }

    /// Returns an image of the second source to blend over one of the first.
    private func overlay(_ frame: borrowing SourceFrame, at time: Duration, _ start: Duration) -> FrameOverlay {
        FrameOverlay(content: frame.content.shared(), fields: frame.fields, weight: weight(at: time, start))
    }

    /// Makes the second source's frame that is shown at `time` the current one.
    private func advanceSecond(to time: Duration, _ state: inout State, _ stop: StopToken) throws(TexelError) {
        while true {
            try readUpcoming(&state, stop)
            guard let upcoming = state.upcoming.take() else { return }
            guard upcoming.time <= time else {
                state.upcoming = consume upcoming
                return
            }
            if let passed = state.current.take() {
                _ = consume passed
                if !state.currentWasSeen { dropCount.add(1, ordering: .relaxed) }
            }
            state.current = consume upcoming
            state.currentWasSeen = false
        }
    }

    /// Reads the second source's next frame, unless it has been read or the source has ended.
    private func readUpcoming(_ state: inout State, _ stop: StopToken) throws(TexelError) {
        if let upcoming = state.upcoming.take() {
            state.upcoming = consume upcoming
            return
        }
        guard !state.secondHasEnded else { return }
        if var frame = try second.nextFrame(stop) {
            frame.time += state.start
            state.upcoming = consume frame
        } else {
            state.secondHasEnded = true
        }
    }

    public let upstream: [any FrameSource]

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == .superseded ? dropCount.load(ordering: .relaxed) : 0
    }

    /// The weight of the second source's image, from 0 to 256.
    private func weight(at time: Duration, _ start: Duration) -> Int {
        let whole = duration.attoseconds
        return Int(((time - start).attoseconds * 256 + whole / 2) / max(1, whole))
    }
}
