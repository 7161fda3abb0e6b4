#if HTTP
    import Dispatch

    /// Blocks a server's threads until the test opens it.
    final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func wait() {
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }
    }
#endif
