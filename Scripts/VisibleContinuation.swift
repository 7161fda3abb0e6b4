// Not part of any target: Scripts/test-tsan.sh adds it, with VisibleMutex.swift, to a copy of the modules that wait.

/// The waiting of `_Concurrency` as far as the project uses it, in an order that the thread sanitizer sees.
///
/// A continuation that is resumed before its task has begun to wait does not go through a queue, and what is known of
/// the order of the two lies in code that the sanitizer does not watch: it would call what is handed over a race.
enum Visible {
    /// Passed by both sides: what is before the first passing is before what comes after the second.
    final class Order: Sendable {
        private let lock = Mutex(())

        func pass() { lock.withLock { _ in } }
    }

    struct Continuation<Value, Failure: Error>: Sendable {
        fileprivate let continuation: CheckedContinuation<Value, Failure>
        fileprivate let order: Order

        func resume(with result: __shared sending Result<Value, Failure>) {
            order.pass()
            continuation.resume(with: result)
        }

        func resume(returning value: sending Value) {
            order.pass()
            continuation.resume(returning: value)
        }

        func resume(throwing error: Failure) {
            order.pass()
            continuation.resume(throwing: error)
        }

        func resume() where Value == Void { resume(returning: ()) }
    }

    static func withCheckedContinuation<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Continuation<Value, Never>) -> Void
    ) async -> sending Value {
        let order = Order()
        defer { order.pass() }
        return await _Concurrency.withCheckedContinuation(isolation: isolation) {
            body(Continuation(continuation: $0, order: order))
        }
    }

    static func withCheckedThrowingContinuation<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Continuation<Value, any Error>) -> Void
    ) async throws -> sending Value {
        let order = Order()
        defer { order.pass() }
        return try await _Concurrency.withCheckedThrowingContinuation(isolation: isolation) {
            body(Continuation(continuation: $0, order: order))
        }
    }
}
