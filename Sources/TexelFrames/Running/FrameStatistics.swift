import TexelCodecs
import Histogram

/// What a pipeline has done so far.
public struct FrameStatistics: Sendable {
    /// Why a frame was not delivered.
    public enum DropCause: String, Sendable, Hashable, CaseIterable {
        /// It came faster than frames were taken, and the queue's policy chose it.
        case queue
        /// Only every n-th was wanted.
        case sampled
        /// It came sooner after another than wanted.
        case throttled
        /// A newer one of another source was there.
        case superseded
        /// It showed nothing new.
        case duplicate
        /// It could not be decoded.
        case damaged
    }

    /// A part of a frame's way.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// Finding the frame's bytes, waiting for them included.
        case source
        /// Waiting for a worker.
        case queue
        /// Decoding, colours, the recipe.
        case render
        /// Converting and encoding for the sink.
        case encode
        /// Waiting for its turn, and writing.
        case deliver
        /// From the source to the end of its delivery: the age of what is shown.
        case age
    }

    /// How long a stage took, by share of the frames.
    public struct Times: Sendable, Hashable {
        public var p50 = Duration.zero
        public var p95 = Duration.zero
        public var p99 = Duration.zero
        public var longest = Duration.zero
    }

    /// What the sources gave.
    public internal(set) var framesIn = 0
    /// What the sink got.
    public internal(set) var framesOut = 0
    public internal(set) var dropped: [DropCause: Int] = [:]
    public internal(set) var times: [Stage: Times] = [:]
    /// From the start to now, or to the end.
    public internal(set) var elapsed = Duration.zero
    /// The presentation time of the latest frame delivered.
    public internal(set) var position = Duration.zero

    public var framesDropped: Int { dropped.values.reduce(0, +) }
}

/// Counts and times, as they happen; a snapshot at any time.
final class FrameRecorder: Sendable {
    private let state: Monitor<State>

    private struct State {
        var framesIn = 0
        var framesOut = 0
        var dropped = [Int](repeating: 0, count: FrameStatistics.DropCause.allCases.count)
        var position = Duration.zero
        var end: Duration?
        // Microseconds up to an hour; the memory is taken once.
        var histograms = FrameStatistics.Stage.allCases.map { _ in
            Histogram<UInt64>(
                lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .two)
        }
    }

    /// What one frame took.
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

    /// Time stands still from now on.
    func finish() { state.withLock { if $0.end == nil { $0.end = clock.now } } }

    /// - Parameter more: drops that sources counted themselves.
    func snapshot(adding more: (FrameStatistics.DropCause) -> Int) -> FrameStatistics {
        state.withLock { state in
            var statistics = FrameStatistics()
            statistics.framesIn = state.framesIn
            statistics.framesOut = state.framesOut
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
        let (seconds, attoseconds) = duration.components
        let microseconds = max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        let index = stage.index
        // Longer than an hour counts as an hour.
        state.histograms[index].record(UInt64(min(microseconds, 3_600_000_000)))
    }

    private static func times(_ histogram: Histogram<UInt64>) -> FrameStatistics.Times {
        guard histogram.totalCount > 0 else { return FrameStatistics.Times() }
        func duration(_ value: UInt64) -> Duration { .microseconds(Int64(value)) }
        return FrameStatistics.Times(
            p50: duration(histogram.valueAtPercentile(50)), p95: duration(histogram.valueAtPercentile(95)),
            p99: duration(histogram.valueAtPercentile(99)), longest: duration(histogram.max))
    }
}

extension FrameStatistics.Stage {
    /// The stage's place among all.
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
