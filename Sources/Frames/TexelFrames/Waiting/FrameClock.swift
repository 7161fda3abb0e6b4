import TexelCodecs
public import TexelCore

/// A clock for live sources and statistics; tests use a manual one.
public protocol FrameClock: Sendable {
    /// The time since an arbitrary fixed moment.
    var now: Duration { get }

    /// Blocks until `time`, or until `stop` has a reason to stop.
    func sleep(until time: Duration, stop: StopToken)
}

/// The system's monotonic clock.
public struct SystemFrameClock: FrameClock {
    private let start = ContinuousClock.now

    /// Creates a clock that starts at 0.
    public init() {}

    public var now: Duration { start.duration(to: .now) }

    public func sleep(until time: Duration, stop: StopToken) { stop.wait(until: start + time) }
}
