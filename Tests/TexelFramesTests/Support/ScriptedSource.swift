import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

/// Yields test patterns at given times; a frame shows its number.
final class ScriptedSource: FrameSource, FrameDropCounting {
    let format: FrameFormat
    private let times: [Duration]
    private let durations: [Duration?]
    private let failure: TexelError?
    private let beforeFrame: @Sendable (Int) -> Void
    private let asked = Monitor(0)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - milliseconds: The presentation time of each frame.
    ///   - failure: The error after the last frame.
    ///   - beforeFrame: Called with the number of each requested frame, including the one after the last.
    init(
        _ milliseconds: [Int], durations: [Int]? = nil, rate: FrameRate? = nil, baseRate: FrameRate? = nil,
        isLive: Bool = false, fields: FieldOrder? = nil, failure: TexelError? = nil,
        beforeFrame: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        times = milliseconds.map { .milliseconds($0) }
        self.durations = durations.map { $0.map { .milliseconds($0) } } ?? times.map { _ in nil }
        self.failure = failure
        self.beforeFrame = beforeFrame
        var format = FrameFormat(size: PixelSize(width: 2, height: 2), rate: rate, isLive: isLive, fields: fields)
        format.baseRate = baseRate
        self.format = format
    }

    /// How often a frame was requested.
    var askedCount: Int { asked.withLock { $0 } }

    func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
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
        var frame = SourceFrame(.pattern(pattern), time: times[index], duration: durations[index], index: index)
        frame.fields = format.fields
        return frame
    }

    /// Reports one dropped frame for each cause.
    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int { 1 }
}
