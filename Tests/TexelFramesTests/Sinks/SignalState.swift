import PlatformLibc

/// The state of SIGPIPE in the current thread.
enum BrokenPipeSignalState {
    /// Whether the signal is pending. It must be blocked in this thread.
    static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }

    /// Runs `body` while this thread blocks the signal, so that a raised one stays pending.
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

    /// Sends the signal to this thread.
    static func raise() { pthread_kill(pthread_self(), SIGPIPE) }

    /// Consumes a pending signal.
    static func take() {
        guard isPending else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var number: Int32 = 0
        sigwait(&signals, &number)
    }
}
