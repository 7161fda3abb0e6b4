/// A source that drops frames and counts them.
public protocol FrameDropCounting {
    /// The number of frames that this source has dropped for this cause, without those of the sources that it reads
    /// from.
    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int
}
