import TexelCodecs
import Synchronization

/// Plays one source, then another, with a time in which one fades into the other.
///
/// - Before the fade the frames of the first are given, behind it those of the second; the second's times begin where
///   the fade begins.
/// - In the fade the frames of the first come with the second's latest over them, the more visible the later. Where the
///   fade ends, the second's latest frame is given alone.
/// - If the first ends before the fade, the second begins where the first ended, without a fade. If it ends in the
///   fade, its last frame stands, and the second's frames are given over it.
/// - If the second ends in the fade, its last frame stands until the fade ends, and the stream ends there.
///
/// The second is not asked for anything before the fade.
public final class CrossfadeSource: FrameSource, FrameDropCounting {
    public let format: FrameFormat
    private let first: any FrameSource
    private let second: any FrameSource
    private let duration: Duration
    private let state: Monitor<State>
    private let dropCount = Atomic(0)

    private struct State: ~Copyable {
        enum Phase { case first, fading, second }

        var phase = Phase.first
        /// When the second begins.
        var start: Duration
        var index = 0
        /// When the last frame of the first ends.
        var end = Duration.zero
        /// The last picture of the first, in the fade.
        var base: FrameContent?
        /// The second's frame that has begun, as far as is known; its time is the stream's.
        var current: SourceFrame?
        var currentWasSeen = false
        /// The second's frame behind that.
        var upcoming: SourceFrame?
        var secondHasEnded = false
    }

    /// - Parameters:
    ///   - start: when the fade begins, in the first source's time.
    ///   - duration: of the fade; without one there is a cut.
    public init(
        _ first: any FrameSource, _ second: any FrameSource, at start: Duration, duration: Duration
    ) {
        self.first = first
        self.second = second
        self.duration = max(.zero, duration)
        var format = first.format
        format.isLive = first.format.isLive || second.format.isLive
        if format.color != second.format.color { format.color = nil }
        self.format = format
        state = Monitor(State(start: max(.zero, start)))
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            guard var frame = try next(&state, stop), !stop.isStopped else { return nil }
            frame.index = state.index
            state.index += 1
            return frame
        }
    }

    private func next(_ state: inout State, _ stop: FrameStop) throws(FrameError) -> SourceFrame? {
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
                // Nothing to fade out of.
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

    /// A frame of the first with the second's latest over it.
    private func faded(
        _ frame: consuming SourceFrame, _ state: inout State, _ stop: FrameStop
    ) throws(FrameError) -> SourceFrame? {
        try advanceSecond(to: frame.time, &state, stop)
        state.base = frame.content.shared()
        if let current = state.current.take() {
            frame.overlay = FrameOverlay(content: current.content.shared(), weight: weight(at: frame.time, state.start))
            state.current = consume current
            state.currentWasSeen = true
        }
        return frame
    }

    /// The next frame of the second that begins inside the fade, over the last picture of the first.
    private func secondOverLast(_ state: inout State, _ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try readUpcoming(&state, stop)
        guard let upcoming = state.upcoming.take() else { return nil }
        guard upcoming.time < state.start + duration, let base = state.base.take() else {
            state.upcoming = consume upcoming
            return nil
        }
        let overlay = FrameOverlay(content: upcoming.content.shared(), weight: weight(at: upcoming.time, state.start))
        var frame = SourceFrame(base.shared(), time: upcoming.time, duration: upcoming.duration, index: 0)
        frame.overlay = consume overlay
        state.base = consume base
        state.current = consume upcoming
        state.currentWasSeen = true
        return frame
    }

    /// The second's latest frame, from the end of the fade on.
    private func secondAtEndOfFade(_ state: inout State, _ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        let end = state.start + duration
        try advanceSecond(to: end, &state, stop)
        guard var current = state.current.take() else { return try secondAlone(&state, stop) }
        // What is left of its time.
        current.duration = current.duration.map { max(.zero, current.time + $0 - end) }
        current.time = end
        return current
    }

    private func secondAlone(_ state: inout State, _ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try readUpcoming(&state, stop)
        return state.upcoming.take()
    }

    /// Makes that frame of the second the current one that is seen at `time`.
    private func advanceSecond(to time: Duration, _ state: inout State, _ stop: FrameStop) throws(FrameError) {
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

    /// Sees to it that the second's next frame is known, unless it has ended.
    private func readUpcoming(_ state: inout State, _ stop: FrameStop) throws(FrameError) {
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

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        first.countDropped(cause) + second.countDropped(cause)
            + (cause == .superseded ? dropCount.load(ordering: .relaxed) : 0)
    }

    /// How much of the second is seen, of 256.
    private func weight(at time: Duration, _ start: Duration) -> Int {
        let whole = duration.attoseconds
        return Int(((time - start).attoseconds * 256 + whole / 2) / max(1, whole))
    }
}
