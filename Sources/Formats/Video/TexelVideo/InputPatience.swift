import TexelCodecs
import TexelCore
import TexelPixels

/// Answers whether a wait for input is to end: after a stop, or when it has taken too long.
final class InputPatience: Sendable {
    private let limit: Duration?
    private let wait: Monitor<Wait>

    private struct Wait {
        var stop: StopToken?
        var deadline: ContinuousClock.Instant?
    }

    /// - Parameter limit: How long a wait may take; `nil` for no limit.
    init(limit: Duration?) {
        self.limit = limit
        wait = Monitor(Wait())
    }

    /// Starts a wait.
    func begin(_ stop: StopToken?) {
        let deadline = limit.map { ContinuousClock.now + $0 }
        wait.withLock { $0 = Wait(stop: stop, deadline: deadline) }
    }

    /// Why the wait is to end; `nil` if it is not.
    var end: TexelError? {
        let (stop, deadline) = wait.withLock { ($0.stop, $0.deadline) }
        if let stop, stop.isStopped { return .stopped(.cancelled) }
        guard let limit, let deadline, ContinuousClock.now >= deadline else { return nil }
        return .stalled(limit)
    }
}
