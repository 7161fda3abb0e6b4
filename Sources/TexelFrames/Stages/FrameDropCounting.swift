/// A source that drops frames and counts them, or that wraps such a source.
public protocol FrameDropCounting {
    /// The number of frames dropped for this cause, by this source and those it wraps.
    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int
}
