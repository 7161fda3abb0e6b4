import PlatformLibc

/// A thread for work that waits for other threads. Blocking in a dispatch queue would make dispatch create threads
/// without limit.
package struct WorkerThread {
    private let thread: pthread_t

    /// The closure as an object, whose address can be passed through C.
    fileprivate final class Body: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Runs `work` on a new thread. Returns `nil` if the system cannot create one.
    package init?(_ work: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            var created: pthread_t?
        #else
            var created = pthread_t()
        #endif
        let body = Unmanaged.passRetained(Body(work))
        let code = pthread_create(&created, nil, workerThreadMain, body.toOpaque())
        #if canImport(Darwin)
            guard code == 0, let created else {
                body.release()
                return nil
            }
        #else
            guard code == 0 else {
                body.release()
                return nil
            }
        #endif
        thread = created
    }

    /// Releases the thread when its work ends; call this instead of ``join()``.
    package func detach() { pthread_detach(thread) }

    /// Waits until the work is done. Must be called exactly once, unless the thread was detached.
    package func join() { pthread_join(thread, nil) }
}

#if canImport(Darwin)
    private typealias ThreadArgument = UnsafeMutableRawPointer
#else
    private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

/// The entry point of a new thread; a function, because the compiler crashes on a closure here (Swift 6.3.1).
private func workerThreadMain(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let body: UnsafeMutableRawPointer? = argument
    if let body { Unmanaged<WorkerThread.Body>.fromOpaque(body).takeRetainedValue().work() }
    return nil
}
