import TexelCodecs
import SystemPackage

/// A signal that ends a pipeline. Threads can check it, wait for it, or poll a descriptor that becomes readable.
public final class FrameStop: Sendable {
    private let state = Monitor(false)
    /// Closing the writing end makes the reading end readable.
    private let signal: Pipe?

    private struct Pipe: Sendable {
        var reading: FileDescriptor
        var writing: FileDescriptor
    }

    /// Creates a signal that is not set.
    public init() {
        signal = (try? FileDescriptor.privatePipe()).map { Pipe(reading: $0.readEnd, writing: $0.writeEnd) }
    }

    deinit {
        guard let signal else { return }
        try? signal.reading.close()
        if !isStopped { try? signal.writing.close() }
    }

    /// Whether ``stop()`` was called.
    public var isStopped: Bool { state.withLock { $0 } }

    /// Sets the signal; it cannot be reset. Further calls have no effect.
    public func stop() {
        let isFirst = state.update { stopped in
            defer { stopped = true }
            return !stopped
        }
        if isFirst { try? signal?.writing.close() }
    }

    /// A descriptor that becomes readable after ``stop()``; -1 if none could be created, so that waits must be short
    /// and check ``isStopped``.
    var descriptor: CInt { signal?.reading.rawValue ?? -1 }

    /// Blocks until `clock` shows `time` or the signal is set.
    func wait(at clock: SystemFrameClock, until time: Duration) {
        while true {
            let rest = time - clock.now
            guard rest > .zero else { return }
            if state.wait(atMost: rest, { $0 ? true : nil }) != nil { return }
        }
    }
}
