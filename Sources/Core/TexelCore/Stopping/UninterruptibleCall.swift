/// Runs calls of a library that cannot be interrupted, so that their callers can be stopped nevertheless.
///
/// The call runs on a thread of its own. If the caller is stopped, it returns at once, and the abandoned call continues
/// until its end, then frees its memory.
package enum UninterruptibleCall {
    /// The number of abandoned calls that are still running.
    private static let abandonedCount = Monitor(0)

    /// The maximum number of abandoned calls. Further calls wait, so that repeated cancellations do not accumulate
    /// memory and threads.
    private static let maximumAbandoned = 2

    /// How often the stop token is polled. Polling also finds timeouts, and tokens that cannot wake a thread.
    private static let pollingInterval = Duration.milliseconds(20)

    /// Blocks until `body` has ended or the work is stopped. What ends after the stop is not returned, so that it does
    /// not matter how soon the caller's thread wakes.
    ///
    /// - Parameter body: may use only what it captures, because it may outlive the caller. After a stop, the caller
    ///   must not use what it captures.
    /// - Throws: `stopped`, the error of `body`.
    package static func run<Value: Sendable>(
        stop: StopToken?, _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) throws(TexelError) -> Value {
        try stop?.check()
        guard let stop else { return try body() }
        while abandonedCount.wait(atMost: pollingInterval, { $0 < maximumAbandoned ? true : nil }) == nil {
            try stop.check()
        }
        let call = Call(body)
        guard let thread = WorkerThread({ call.make() }) else { return try body() }
        thread.detach()
        while true {
            let result = call.result(atMost: pollingInterval)
            if let reason = stop.reason {
                call.abandon()
                throw .stopped(reason)
            }
            if let result { return try result.get() }
        }
    }

    /// One call: its state, and its closure until it has ended.
    private final class Call<Value: Sendable>: Sendable {
        private enum State {
            case waiting(@Sendable () throws(TexelError) -> Value)
            case running
            case ended(Result<Value, TexelError>)
            case abandoned

            var result: Result<Value, TexelError>? { if case .ended(let result) = self { result } else { nil } }
        }

        private let state: Monitor<State>

        init(_ body: @escaping @Sendable () throws(TexelError) -> Value) { state = Monitor(.waiting(body)) }

        func make() {
            let result = ended()
            // Here, nothing refers to the closure any more.
            let isAbandoned = state.update { state in
                if case .abandoned = state { return true }
                state = .ended(result)
                return false
            }
            if isAbandoned { abandonedCount.update { $0 -= 1 } }
        }

        private func ended() -> Result<Value, TexelError> {
            let body = state.withLock { state -> (@Sendable () throws(TexelError) -> Value)? in
                guard case .waiting(let body) = state else { return nil }
                state = .running
                return body
            }
            // Abandoned before its beginning.
            guard let body else { return .failure(.stopped(.cancelled)) }
            do throws(TexelError) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }

        func result(atMost duration: Duration) -> Result<Value, TexelError>? {
            state.wait(atMost: duration) { $0.result }
        }

        /// Abandons the call, unless it has ended.
        func abandon() {
            state.withLock { state in
                guard state.result == nil else { return }
                state = .abandoned
                abandonedCount.update { $0 += 1 }
            }
        }
    }

    /// Blocks until no abandoned call is running. For tests.
    package static func waitForAbandoned() { _ = abandonedCount.wait { $0 == 0 ? true : nil } }
}
