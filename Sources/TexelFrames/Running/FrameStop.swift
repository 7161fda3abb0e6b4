import TexelCodecs
import SystemPackage

/// Says to everything in a pipeline that it must end: to those who ask, to those who wait, and, through a descriptor
/// that becomes readable, to those who wait for bytes.
public final class FrameStop: Sendable {
    private let state = Monitor(false)
    /// Closing the writing end makes the reading end readable.
    private let signal: Pipe?

    private struct Pipe: Sendable {
        var reading: FileDescriptor
        var writing: FileDescriptor
    }

    public init() {
        signal = (try? FileDescriptor.privatePipe()).map { Pipe(reading: $0.readEnd, writing: $0.writeEnd) }
    }

    deinit {
        guard let signal else { return }
        try? signal.reading.close()
        if !isStopped { try? signal.writing.close() }
    }

    public var isStopped: Bool { state.withLock { $0 } }

    public func stop() {
        let isFirst = state.update { stopped in
            defer { stopped = true }
            return !stopped
        }
        if isFirst { try? signal?.writing.close() }
    }

    /// Readable once everything must end; -1 where the system gave none, and waits must be cut short to ask.
    var descriptor: CInt { signal?.reading.rawValue ?? -1 }

    /// Waits until the clock of the machine shows `time`, or until everything must end.
    func wait(at clock: SystemFrameClock, until time: Duration) {
        while true {
            let rest = time - clock.now
            guard rest > .zero else { return }
            if state.wait(atMost: rest, { $0 ? true : nil }) != nil { return }
        }
    }
}
