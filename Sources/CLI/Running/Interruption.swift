import PlatformLibc
import Synchronization
import SystemPackage
import Texel
import TexelCore
import TexelPixels

/// Handles SIGINT, SIGTERM and SIGHUP from the start of the program to its end.
///
/// The first signal stops the work, which then ends by itself and reports what was done. If all threads only wait, for
/// the reader of a pipe for example, or if the work takes too long, the process is ended instead; so does a second
/// signal. Neither partial files nor child processes remain in any case.
final class Interruption: Sendable {
    static let shared = Interruption()

    let stop = StopToken()
    private let completesOutput = Atomic(false)

    /// How long all threads may wait after a signal.
    private static let waitingPatience = Duration.milliseconds(150)
    /// How long the work may take to end after a signal.
    private static let patience = Duration.seconds(2)
    private static let interval = Duration.milliseconds(20)

    var hasHappened: Bool { stop.reason != nil }

    /// Lets the work end by itself, even if that takes long. Called when it completes an output after a signal, as
    /// that of an endless stream.
    func awaitsCompletion() { completesOutput.store(true, ordering: .relaxed) }

    /// Begins to handle the signals. Must be called once.
    func begin() {
        guard let ends = try? FileDescriptor.privatePipe() else { return }
        _ = fcntl(ends.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
        signalPipe = ends.writeEnd.rawValue
        let thread = WorkerThread {
            while true {
                var byte: UInt8 = 0
                guard read(ends.readEnd.rawValue, &byte, 1) == 1 else { continue }
                guard self.stop.reason == nil, let end = WorkerThread({ self.end() }) else {
                    Self.endProcess(.interrupted)
                }
                end.detach()
            }
        }
        guard let thread else { return }
        thread.detach()
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let former = signal(number) { _ in
                let error = errno
                var byte: UInt8 = 0
                _ = write(signalPipe, &byte, 1)
                errno = error
            }
            // Under nohup, SIGHUP stays ignored.
            if number == SIGHUP, Self.isIgnored(former) { signal(number, SIG_IGN) }
        }
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private func end() {
        let start = ContinuousClock.now
        // On a thread of its own: this one must not wait for what is called then.
        if let thread = WorkerThread({ self.stop.cancel() }) { thread.detach() } else { stop.cancel() }
        var lastWorkTime = start
        while true {
            var pause = timespec(tv_sec: 0, tv_nsec: Int(Self.interval / .nanoseconds(1)))
            nanosleep(&pause, nil)
            let now = ContinuousClock.now
            if completesOutput.load(ordering: .relaxed) { continue }
            if !ThreadStates.allWait { lastWorkTime = now }
            if now - lastWorkTime >= Self.waitingPatience || now - start >= Self.patience {
                Self.endProcess(.interrupted)
            }
        }
    }

    /// Ends the process at once, without partial files and child processes.
    static func endProcess(_ status: ExitStatus) -> Never {
        RunningChildren.killAll()
        AtomicFile.removeUnfinished()
        _exit(status.rawValue)
    }
}

/// Where the signal handler writes a byte. Set before the handler is installed, and constant from then on.
nonisolated(unsafe) private var signalPipe: Int32 = -1
