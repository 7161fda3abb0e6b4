import TexelCodecs
import TexelPixels

@testable import TexelFrames

/// Gives frames at the times of a list; a frame shows its number.
final class ScriptedSource: FrameSource, FrameDropCounting {
    let format: FrameFormat
    private let times: [Duration]
    private let durations: [Duration?]
    private let failure: FrameError?
    private let beforeFrame: @Sendable (Int) -> Void
    private let asked = Monitor(0)

    /// - Parameters:
    ///   - milliseconds: when each frame is to be seen.
    ///   - failure: what happens behind the last frame.
    ///   - beforeFrame: called with the number of the frame that is asked for, that behind the last included.
    init(
        _ milliseconds: [Int], durations: [Int]? = nil, rate: FrameRate? = nil, isLive: Bool = false,
        failure: FrameError? = nil, beforeFrame: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        times = milliseconds.map { .milliseconds($0) }
        self.durations = durations.map { $0.map { .milliseconds($0) } } ?? times.map { _ in nil }
        self.failure = failure
        self.beforeFrame = beforeFrame
        format = FrameFormat(size: PixelSize(width: 2, height: 2), rate: rate, isLive: isLive)
    }

    /// How often it was asked for a frame.
    var askedCount: Int { asked.withLock { $0 } }

    func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        let index = asked.update { count in
            defer { count += 1 }
            return count
        }
        beforeFrame(index)
        if stop.isStopped { return nil }
        guard index < times.count else {
            if let failure { throw failure }
            return nil
        }
        let pattern = TestPattern(size: format.size, step: index)
        return SourceFrame(.pattern(pattern), time: times[index], duration: durations[index], index: index)
    }

    /// Pretends to have dropped one frame for each cause.
    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int { 1 }
}
