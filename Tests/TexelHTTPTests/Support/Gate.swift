#if HTTP
    import Dispatch

    /// Keeps a server's threads until a test lets them go on.
    final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func wait() {
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }
    }
#endif
