public import TexelCodecs
public import TexelCore
import TexelPixels

/// Plays a source several times or for ever. A new source is made for each loop; its times continue where the last
/// ended.
///
/// A loop ends with the duration of its last frame. If that is unknown, it is taken to be the interval of the source's
/// rate, else the time since the frame before, else 40 ms.
public final class LoopedSource: FrameSource, FrameDropCounting, FaultReporting {
    /// Properties of the first source.
    public let format: FrameFormat
    private let make: @Sendable () throws(TexelError) -> any FrameSource
    private let state: Monitor<State>
    /// Separate from `state`, because statistics are queried while ``next(_:)`` blocks.
    private let played: Monitor<Played>

    private struct State {
        /// Loops that are still to start; `nil` for ever.
        var playsLeft: Int?
        /// The start of the current loop.
        var start = Duration.zero
        var index = 0
        /// The last frame of the current loop, in the source's time; `nil` before the first.
        var last: (time: Duration, duration: Duration)?
    }

    private struct Played {
        var source: any FrameSource
        /// The drops of earlier loops.
        var counts: [FrameStatistics.DropCause: Int] = [:]
        /// The damage that earlier loops met.
        var faults = StreamFaults()
    }

    /// Makes the first source.
    ///
    /// - Parameters:
    ///   - count: The number of loops, at least one; `nil` for ever.
    ///   - make: Makes the source of one loop; called once at initialisation and once for every further loop.
    /// - Throws: What `make` throws.
    public init(
        count: Int? = nil, _ make: @escaping @Sendable () throws(TexelError) -> any FrameSource
    ) throws(TexelError) {
        self.make = make
        let source = try make()
        format = source.format
        state = Monitor(State(playsLeft: count.map { max(1, $0) - 1 }))
        played = Monitor(Played(source: source))
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try state.withLock { (state) throws(TexelError) -> SourceFrame? in
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
                // Ends here too if a loop had no frames, which would repeat without end.
                guard !stop.isStopped, let last = state.last, state.playsLeft != 0 else { return nil }
                state.playsLeft = state.playsLeft.map { $0 - 1 }
                state.start += last.time + last.duration
                state.last = nil
                try replaceSource()
            }
        }
    }

    private func replaceSource() throws(TexelError) {
        let next = try make()
        played.withLock { played in
            for cause in FrameStatistics.DropCause.allCases {
                played.counts[cause, default: 0] += played.source.countDropped(cause)
            }
            played.faults.add(played.source.allFaults)
            played.source = next
        }
    }

    public var upstream: [any FrameSource] { [played.withLock { $0.source }] }

    public var faults: StreamFaults { played.withLock { $0.faults } }

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        played.withLock { $0.counts[cause, default: 0] }
    }
}
