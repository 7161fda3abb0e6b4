import Synchronization
public import TexelCodecs

/// Returns every n-th frame of another source, starting with the first.
public final class SampledSource: FrameSource, FrameDropCounting {
    /// Properties of the wrapped source, at the reduced rate.
    public let format: FrameFormat
    private let source: any FrameSource
    private let step: Int
    private let hasBegun = Atomic(false)
    private let dropCount = Atomic(0)

    /// Creates a source of every `step`-th frame.
    ///
    /// - Parameters:
    ///   - source: The source to read from.
    ///   - step: 1 returns all frames; smaller values count as 1.
    public init(_ source: any FrameSource, every step: Int) {
        self.source = source
        upstream = [source]
        self.step = max(1, step)
        var format = source.format
        if let rate = format.rate {
            let (seconds, overflow) = rate.seconds.multipliedReportingOverflow(by: self.step)
            format.rate = overflow ? nil : FrameRate(reducing: rate.frames, per: seconds)
        }
        self.format = format
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        let passedOver = hasBegun.exchange(true, ordering: .relaxed) ? step - 1 : 0
        for _ in 0..<passedOver {
            guard let dropped = try source.nextFrame(stop) else { return nil }
            _ = consume dropped
            dropCount.add(1, ordering: .relaxed)
        }
        guard var frame = try source.nextFrame(stop) else { return nil }
        frame.duration = frame.duration.map { $0 * step }
        return frame
    }

    public let upstream: [any FrameSource]

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == .sampled ? dropCount.load(ordering: .relaxed) : 0
    }
}
