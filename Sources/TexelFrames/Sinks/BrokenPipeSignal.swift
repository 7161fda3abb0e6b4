import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Keeps SIGPIPE from ending a program whose reader went away.
///
/// What a library must not do is to change how the whole program treats the signal. `write` sends it to the thread that
/// writes: while it is held there, only the error is left, and the signal is taken back before it can arrive.
enum BrokenPipeSignal {
    static func held<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        var pending = sigset_t()
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        var former = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        do throws(Errno) {
            return try body()
        } catch {
            if error == .brokenPipe, !wasPending { take(&pipeSignal) }
            throw error
        }
    }

    private static func take(_ signals: inout sigset_t) {
        #if os(Linux)
            var atOnce = timespec()
            while sigtimedwait(&signals, nil, &atOnce) == -1, errno == EINTR {}
        #else
            var pending = sigset_t()
            sigpending(&pending)
            guard sigismember(&pending, SIGPIPE) == 1 else { return }
            var signal: Int32 = 0
            sigwait(&signals, &signal)
        #endif
    }
}
