#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// SIGPIPE in one thread, whatever the rest of the program does with it.
enum BrokenPipeSignalState {
    /// Whether the signal waits for this thread, which must hold it back.
    static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }

    /// Runs `body` while this thread holds the signal back: one that is raised meanwhile stays visible.
    static func whileBlocked(_ body: () -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var former = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &former)
        defer {
            take()
            pthread_sigmask(SIG_SETMASK, &former, nil)
        }
        body()
    }

    /// Sends it to this thread.
    static func raise() { pthread_kill(pthread_self(), SIGPIPE) }

    /// Takes one that waits.
    static func take() {
        guard isPending else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var number: Int32 = 0
        sigwait(&signals, &number)
    }
}
