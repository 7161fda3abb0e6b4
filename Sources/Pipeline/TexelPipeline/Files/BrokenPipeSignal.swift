import PlatformLibc
import SystemPackage

/// Suppresses SIGPIPE while a thread writes.
///
/// A library must not change the signal's disposition for the whole process. `write` sends SIGPIPE to the calling
/// thread: it is blocked there during the call and removed while pending, so that only the error EPIPE remains.
enum BrokenPipeSignal {
    /// Runs `body` with SIGPIPE blocked. If it throws `brokenPipe`, consumes the pending signal, unless one was pending
    /// before.
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
