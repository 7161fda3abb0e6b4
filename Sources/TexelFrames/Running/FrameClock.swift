/// What tells the time to sources that keep to it, and to statistics. Tests turn one by hand.
public protocol FrameClock: Sendable {
    /// The time since some fixed moment.
    var now: Duration { get }

    /// Returns at `time`, or earlier once `stop` says so.
    func sleep(until time: Duration, stop: FrameStop)
}

/// The machine's own clock, which no change of date moves.
public struct SystemFrameClock: FrameClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Duration { start.duration(to: .now) }

    public func sleep(until time: Duration, stop: FrameStop) { stop.wait(at: self, until: time) }
}
