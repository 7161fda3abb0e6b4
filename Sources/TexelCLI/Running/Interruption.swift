import Dispatch
import Texel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ctrl-C, a closed terminal, a polite kill: the first ends the work cleanly, the second at once. Either way no
/// half-written file stays.
final class Interruption {
    let stop = StopToken()
    private let sources: [any DispatchSourceSignal]
    /// Counts the sources that are at work. (A group would outlive a program that ends before they are.)
    private let registration = DispatchSemaphore(value: 0)

    init() {
        let (stop, registration) = (stop, registration)
        // A reader that goes away makes a write fail; it must not end the program between two steps of its own.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let former = signal(number, SIG_IGN)
            // nohup wants the work to go on.
            if number == SIGHUP, Self.isIgnored(former) { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler {
                if stop.reason == nil {
                    stop.cancel()
                } else {
                    AtomicFile.removeUnfinished()
                    _exit(ExitStatus.interrupted.rawValue)
                }
            }
            source.setRegistrationHandler { registration.signal() }
            source.resume()
            return source
        }
    }

    /// Waits until no signal is lost any more, which takes a moment; once.
    func waitUntilReady() {
        for _ in sources { registration.wait() }
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    var hasHappened: Bool { stop.reason != nil }
}
