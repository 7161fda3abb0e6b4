import Dispatch
import PlatformLibc
import Texel

/// Handles SIGINT, SIGTERM and SIGHUP: the first signal stops the work, the second one exits at once. No partial file
/// remains in either case.
final class Interruption {
    let stop = StopToken()
    private let sources: [any DispatchSourceSignal]
    /// Counts the registered sources. (A dispatch group with pending entries would leak if the program ends before
    /// that.)
    private let registration = DispatchSemaphore(value: 0)

    init() {
        let (stop, registration) = (stop, registration)
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let former = signal(number, SIG_IGN)
            // Under nohup, keep SIGHUP ignored.
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

    /// Waits until signals are handled. Must be called at most once.
    func waitUntilReady() {
        for _ in sources { registration.wait() }
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    var hasHappened: Bool { stop.reason != nil }
}
