import TexelCodecs

extension FrameSource {
    /// The number of frames dropped for a cause by this source and those that it reads from.
    func countDropped(_ cause: FrameStatistics.DropCause) -> Int {
        upstream.reduce((self as? any FrameDropCounting)?.droppedFrames(cause) ?? 0) { $0 + $1.countDropped(cause) }
    }

    /// The damage noticed so far by this source and those that it reads from.
    var allFaults: StreamFaults {
        upstream.reduce(into: (self as? any FaultReporting)?.faults ?? StreamFaults()) { $0.add($1.allFaults) }
    }
}
