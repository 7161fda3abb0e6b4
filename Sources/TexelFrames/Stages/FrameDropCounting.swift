/// A source that drops frames by its own rule, and counts them; or one that stands before such a source.
public protocol FrameDropCounting {
    /// How many frames were dropped for this cause, here and upstream.
    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int
}
