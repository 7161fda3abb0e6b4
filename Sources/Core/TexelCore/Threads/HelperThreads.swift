/// Threads that wait for the next work, because creating one takes longer than many a piece of work.
///
/// They are not those of a dispatch queue, because processes without privileges may not use one.
enum HelperThreads {
    /// Work that begins when a thread is free.
    final class Work: Sendable {
        private enum State {
            case waiting(@Sendable () -> Void)
            case running
            case ended
        }

        private let state: Monitor<State>

        fileprivate init(_ body: @escaping @Sendable () -> Void) { state = Monitor(.waiting(body)) }

        fileprivate func run() {
            perform()
            // Here, nothing refers to the closure any more.
            state.update { $0 = .ended }
        }

        private func perform() {
            let body = state.withLock { state -> (@Sendable () -> Void)? in
                guard case .waiting(let body) = state else { return nil }
                state = .running
                return body
            }
            body?()
        }

        /// Blocks until the work has ended. Work that has not begun never will.
        func end() {
            state.wait { state -> Void? in
                if case .running = state { return nil }
                state = .ended
                return ()
            }
        }
    }

    private struct Threads {
        /// The work that no thread has begun, in order.
        var queue: [Work] = []
        var count = 0
        var idleCount = 0
    }

    private static let threads = Monitor(Threads())

    /// The maximum number of threads.
    private static let maximumCount = 256
    /// How long a thread waits for work before it ends.
    private static let patience = Duration.seconds(5)

    /// Offers work to a thread. The caller must call ``Work/end()``.
    static func begin(_ body: @escaping @Sendable () -> Void) -> Work {
        let work = Work(body)
        let needsThread = threads.update { threads in
            threads.queue.append(work)
            guard threads.idleCount < threads.queue.count, threads.count < maximumCount else { return false }
            threads.count += 1
            return true
        }
        if needsThread {
            if let thread = WorkerThread({ serve() }) {
                thread.detach()
            } else {
                threads.withLock { threads in
                    threads.count -= 1
                    threads.queue.removeAll { $0 === work }
                }
            }
        }
        return work
    }

    private static func serve() {
        while let work = next() { work.run() }
    }

    /// Waits for work; `nil` if there was none for some time, after which the thread must end.
    private static func next() -> Work? {
        threads.withLock { $0.idleCount += 1 }
        let work = threads.wait(atMost: patience) { threads -> Work? in
            guard !threads.queue.isEmpty else { return nil }
            threads.idleCount -= 1
            return threads.queue.removeFirst()
        }
        if let work { return work }
        return threads.withLock { threads in
            threads.idleCount -= 1
            if !threads.queue.isEmpty { return threads.queue.removeFirst() }
            threads.count -= 1
            return nil
        }
    }
}
