public import TexelCodecs
import TexelCore
import TexelPixels

/// The counts and times of a pipeline so far.
public struct FrameStatistics: Sendable {
    /// Why a frame was not delivered.
    public enum DropCause: String, Sendable, Hashable, CaseIterable {
        /// The queue was full, and its policy dropped the frame.
        case queue
        /// Skipped by ``FrameSource/sampled(every:)-(Int)``, which selects every n-th frame.
        case sampled
        /// Dropped by ``FrameSource/throttled(to:)`` to keep the target rate.
        case throttled
        /// Replaced by a newer frame of another source in ``LatestSource``, or faded over in ``CrossfadeSource``.
        case superseded
        /// Identical to the frame before.
        case duplicate
        /// The frame could not be decoded.
        case damaged
    }

    /// A stage that frames pass through.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// Finding the frame's bytes, including the wait for them.
        case source
        /// Waiting for a worker.
        case queue
        /// Decoding, colour conversion and the recipe.
        case render
        /// Converting or encoding for the sink.
        case encode
        /// Waiting for its turn, and writing.
        case deliver
        /// From arrival to the end of delivery: the latency of the shown frame.
        case age
    }

    /// The distribution of a stage's times over all frames.
    public struct Times: Sendable, Hashable {
        /// The median.
        public var p50 = Duration.zero
        /// The 95th percentile.
        public var p95 = Duration.zero
        /// The 99th percentile.
        public var p99 = Duration.zero
        /// The maximum.
        public var longest = Duration.zero
    }

    /// The number of frames read from the source.
    public internal(set) var framesIn = 0
    /// The number of frames delivered to the sink.
    public internal(set) var framesOut = 0
    /// The number of dropped frames by cause.
    public internal(set) var dropped: [DropCause: Int] = [:]
    /// The damage that was noticed in the source.
    public internal(set) var faults = StreamFaults()
    /// The times of each stage.
    public internal(set) var times: [Stage: Times] = [:]
    /// The time since the start, up to now or to the end of the run.
    public internal(set) var elapsed = Duration.zero
    /// The presentation time of the last delivered frame.
    public internal(set) var position = Duration.zero

    /// The number of dropped frames of all causes.
    public var framesDropped: Int { dropped.values.reduce(0, +) }
}

/// Records counts and times during a run.
final class FrameRecorder: Sendable {
    private let state: Monitor<State>

    private struct State {
        var framesIn = 0
        var framesOut = 0
        var dropped = [Int](repeating: 0, count: FrameStatistics.DropCause.allCases.count)
        var faults = StreamFaults()
        var position = Duration.zero
        var end: Duration?
        var histograms = FrameStatistics.Stage.allCases.map { _ in DurationHistogram() }
    }

    /// The times of one frame.
    struct Passage {
        var source = Duration.zero
        var queue = Duration.zero
        var render = Duration.zero
        var encode = Duration.zero
        var deliver = Duration.zero
        var age = Duration.zero
    }

    private let clock: any FrameClock
    private let start: Duration

    init(clock: any FrameClock) {
        self.clock = clock
        start = clock.now
        state = Monitor(State())
    }

    func frameCame(after duration: Duration) {
        state.withLock { state in
            state.framesIn += 1
            Self.record(duration, .source, &state)
        }
    }

    /// Sets the damage so far; returns whether it is new.
    func note(_ faults: StreamFaults) -> Bool {
        state.withLock { state in
            guard state.faults != faults else { return false }
            state.faults = faults
            return true
        }
    }

    func dropped(_ count: Int, _ cause: FrameStatistics.DropCause) {
        guard count > 0, let index = FrameStatistics.DropCause.allCases.firstIndex(of: cause) else { return }
        state.withLock { $0.dropped[index] += count }
    }

    func delivered(_ passage: Passage, position: Duration) {
        state.withLock { state in
            state.framesOut += 1
            state.position = position
            Self.record(passage.queue, .queue, &state)
            Self.record(passage.render, .render, &state)
            Self.record(passage.encode, .encode, &state)
            Self.record(passage.deliver, .deliver, &state)
            Self.record(passage.age, .age, &state)
        }
    }

    /// Stops the elapsed time.
    func finish() { state.withLock { if $0.end == nil { $0.end = clock.now } } }

    /// Returns the statistics so far.
    ///
    /// - Parameter more: The drops that sources have counted, by cause.
    func snapshot(adding more: (FrameStatistics.DropCause) -> Int) -> FrameStatistics {
        state.withLock { state in
            var statistics = FrameStatistics()
            statistics.framesIn = state.framesIn
            statistics.framesOut = state.framesOut
            statistics.faults = state.faults
            statistics.position = state.position
            statistics.elapsed = (state.end ?? clock.now) - start
            for (index, cause) in FrameStatistics.DropCause.allCases.enumerated() {
                statistics.dropped[cause] = state.dropped[index] + more(cause)
            }
            for (index, stage) in FrameStatistics.Stage.allCases.enumerated() {
                statistics.times[stage] = Self.times(state.histograms[index])
            }
            return statistics
        }
    }

    private static func record(_ duration: Duration, _ stage: FrameStatistics.Stage, _ state: inout State) {
        state.histograms[stage.index].record(duration)
    }

    private static func times(_ histogram: DurationHistogram) -> FrameStatistics.Times {
        FrameStatistics.Times(
            p50: histogram.percentile(50), p95: histogram.percentile(95), p99: histogram.percentile(99),
            longest: histogram.longest)
    }
}

extension FrameStatistics.Stage {
    /// The index of the stage in `allCases`.
    fileprivate var index: Int {
        switch self {
        case .source: 0
        case .queue: 1
        case .render: 2
        case .encode: 3
        case .deliver: 4
        case .age: 5
        }
    }
}
