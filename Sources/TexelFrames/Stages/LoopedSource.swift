import TexelCodecs

/// Plays a source several times, or for ever: each time a new one is made, whose times go on where the last one ended.
///
/// A source ends with the duration of its last frame; where that is not known, one interval of its rate counts for it,
/// or else as long as the frame before it lasted; of a single frame, 40 ms.
public final class LoopedSource: FrameSource, FrameDropCounting {
    public let format: FrameFormat
    private let make: @Sendable () throws(FrameError) -> any FrameSource
    private let state: Monitor<State>
    /// Apart from the state, because statistics ask while ``next(_:)`` waits.
    private let played: Monitor<Played>

    private struct State {
        /// Plays that are still to begin; `nil` for ever.
        var playsLeft: Int?
        /// When the present play began.
        var start = Duration.zero
        var index = 0
        /// Of the last frame of the present play, by its own time; `nil` before its first.
        var last: (time: Duration, duration: Duration)?
    }

    private struct Played {
        var source: any FrameSource
        /// Of the plays before.
        var counts: [FrameStatistics.DropCause: Int] = [:]
    }

    /// - Parameters:
    ///   - count: how often it is played; for ever without. At least once.
    ///   - make: called once for each play, the first time at once.
    public init(
        count: Int? = nil, _ make: @escaping @Sendable () throws(FrameError) -> any FrameSource
    ) throws(FrameError) {
        self.make = make
        let source = try make()
        format = source.format
        state = Monitor(State(playsLeft: count.map { max(1, $0) - 1 }))
        played = Monitor(Played(source: source))
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            while true {
                let source = played.withLock { $0.source }
                if var frame = try source.nextFrame(stop) {
                    let sinceLast = state.last.map { frame.time - $0.time }
                    let interval = source.format.rate?.interval ?? sinceLast ?? FrameRate.standard.interval
                    state.last = (frame.time, frame.duration ?? interval)
                    frame.time += state.start
                    frame.index = state.index
                    state.index += 1
                    return frame
                }
                // A play without a single frame would be repeated without end.
                guard !stop.isStopped, let last = state.last, state.playsLeft != 0 else { return nil }
                state.playsLeft = state.playsLeft.map { $0 - 1 }
                state.start += last.time + last.duration
                state.last = nil
                try replaceSource()
            }
        }
    }

    private func replaceSource() throws(FrameError) {
        let next = try make()
        played.withLock { played in
            for cause in FrameStatistics.DropCause.allCases {
                played.counts[cause, default: 0] += played.source.countDropped(cause)
            }
            played.source = next
        }
    }

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        played.withLock { $0.counts[cause, default: 0] + $0.source.countDropped(cause) }
    }
}
