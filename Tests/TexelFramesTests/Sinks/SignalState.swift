#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

enum SignalState {
    /// Whether SIGPIPE waits for this thread.
    static var isBrokenPipePending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }

    /// SIGPIPE does what it does in a program that has never said otherwise: end it.
    static func restoreBrokenPipeDefault() { signal(SIGPIPE, SIG_DFL) }
}
