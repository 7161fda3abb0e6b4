#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that does one thing, for work that waits for other threads: a dispatch queue would grow threads without end
/// if that happened inside it.
package struct WorkerThread {
    private let thread: pthread_t

    /// What a thread is to do, as an object whose address fits through C.
    fileprivate final class Body: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Begins `work` on a new thread; `nil` when the machine gives none.
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

    /// Lets the thread end on its own; instead of ``join()``.
    package func detach() { pthread_detach(thread) }

    /// Waits until the work is done; must be called once, unless the thread was detached.
    package func join() { pthread_join(thread, nil) }
}

#if canImport(Darwin)
    private typealias ThreadArgument = UnsafeMutableRawPointer
#else
    private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

/// Where a new thread begins; a function, because the compiler crashes over a closure here (Swift 6.3.1).
private func workerThreadMain(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let body: UnsafeMutableRawPointer? = argument
    if let body { Unmanaged<WorkerThread.Body>.fromOpaque(body).takeRetainedValue().work() }
    return nil
}
