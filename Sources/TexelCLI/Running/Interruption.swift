import Dispatch
import Texel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ctrl-C: the first ends the work cleanly, the second at once. Either way no half-written file stays.
final class Interruption {
    let stop = StopToken()
    private let sources: [any DispatchSourceSignal]

    init() {
        let stop = stop
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler {
                if stop.reason == nil {
                    stop.cancel()
                } else {
                    AtomicFile.removeUnfinished()
                    _exit(ExitStatus.interrupted.rawValue)
                }
            }
            source.resume()
            return source
        }
    }

    var hasHappened: Bool { stop.reason != nil }
}
