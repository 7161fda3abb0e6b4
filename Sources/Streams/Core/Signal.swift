import Synchronization

/// A wake-up that is kept until a task waits for it; that task then continues at once.
///
/// It carries no value: a woken task checks the shared state again, so spurious wake-ups are harmless.
final class Signal: Sendable {
    private enum State {
        case idle
        case raised
        case awaited(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Wakes the waiting task, or else the next one that waits.
    func raise() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .awaited(let continuation) = state else {
                state = .raised
                return nil
            }
            state = .idle
            return continuation
        }
        waiting?.resume()
    }

    /// Waits until the signal is raised, and resets it. Only one task may wait at a time.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                switch state {
                case .idle:
                    state = .awaited(continuation)
                    return false
                case .raised:
                    state = .idle
                    return true
                case .awaited:
                    preconditionFailure("next() was called concurrently on one iterator.")
                }
            }
            if isRaised { continuation.resume() }
        }
    }
}
