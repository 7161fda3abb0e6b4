extension FrameSource {
    /// How many frames this source and those before it have dropped for a cause; most drop none.
    func countDropped(_ cause: FrameStatistics.DropCause) -> Int {
        (self as? any FrameDropCounting)?.droppedFrames(cause) ?? 0
    }
}
