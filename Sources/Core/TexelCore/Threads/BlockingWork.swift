/// Runs blocking work on a thread of its own. Blocking in a task would take one of the few threads of all tasks.
package enum BlockingWork {
    /// Runs `body` on a new thread and waits for it without blocking.
    ///
    /// - Throws: what `body` throws; `outOfMemory` if the system cannot create a thread.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) async throws(TexelError) -> Value {
        let waiter = Waiter<Value>()
        guard let thread = WorkerThread({ waiter.resume(Result(catching: body)) }) else { throw .outOfMemory }
        thread.detach()
        return try await waiter.result().get()
    }
}
