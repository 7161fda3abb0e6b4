import Synchronization

/// A one-shot result for one waiting task; the result may arrive before the wait begins.
package final class Waiter<Output: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Result<Output, TexelError>, Never>)
        case done(Result<Output, TexelError>)
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// Delivers the result. Only the first call has an effect.
    package func resume(_ result: Result<Output, TexelError>) {
        let continuation = state.withLock { state -> CheckedContinuation<Result<Output, TexelError>, Never>? in
            if case .done = state { return nil }
            defer { state = .done(result) }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume(returning: result)
    }

    package func result() async -> Result<Output, TexelError> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<Output, TexelError>? in
                if case .done(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
