extension FrameSource {
    /// The number of frames dropped for a cause by this source and those it wraps; 0 for sources that do not count.
    func countDropped(_ cause: FrameStatistics.DropCause) -> Int {
        (self as? any FrameDropCounting)?.droppedFrames(cause) ?? 0
    }
}
