/// How long the frames of an animation are displayed, and how often it is played.
public struct AnimationTiming: Sendable, Hashable, Codable {
    /// The delay of each frame in seconds, as in the file.
    public var delays: [Double]
    /// The duration of one play in seconds, as players show it: frames with a delay of at most 10 ms take 100 ms.
    public var duration: Double
    /// The number of times to play the animation; 0 for endless.
    public var playCount: Int

    /// Creates a timing; each parameter sets the property of its name.
    public init(delays: [Double], duration: Double, playCount: Int) {
        self.delays = delays
        self.duration = duration
        self.playCount = playCount
    }

    /// Adds the delays as fractions, so that the duration has no rounding errors of sums.
    package init(_ animation: any ImageAnimation) {
        let duration = animation.frames.reduce(FrameDelay(0, 1)) { $0.adding($1.shownDelay) }
        self.init(
            delays: animation.frames.map(\.delay.seconds), duration: duration.seconds, playCount: animation.playCount)
    }
}
