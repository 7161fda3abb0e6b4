import PlatformLibc
import Synchronization
package import SystemPackage
import TexelCodecs
import TexelCore

extension StopToken {
    /// Returns a descriptor that becomes readable when the token or one of its parents is cancelled. It is created at
    /// the first call, and closed when the token is released.
    ///
    /// - Throws: the system's error if no pipe can be created.
    @discardableResult
    package func openDescriptor() throws(Errno) -> FileDescriptor {
        FileDescriptor(rawValue: try alarm { () throws(Errno) in try StopPipe() }.descriptor)
    }

    /// The number of ``openDescriptor()``; -1 if no pipe can be created.
    package var descriptor: CInt { (try? openDescriptor().rawValue) ?? -1 }

    /// The timeout of one `poll` that watches ``descriptor``, after which the token must be checked again.
    ///
    /// - Parameters:
    ///   - descriptor: the watched descriptor; -1 if there is none.
    ///   - milliseconds: the caller's own limit; negative for none.
    package func pollTimeout(watching descriptor: CInt, atMost milliseconds: CInt = -1) -> CInt {
        var timeout = milliseconds < 0 ? CInt.max : milliseconds
        // Without a descriptor, check the token every 50 ms.
        if descriptor < 0 { timeout = min(timeout, 50) }
        if let longestWait { timeout = min(timeout, longestWait.wholeMilliseconds) }
        return timeout == .max ? -1 : timeout
    }

    /// Blocks until a stream is ready (as a file always is), there is a reason to stop, or the time is over.
    ///
    /// - Parameters:
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - deadline: the end of the wait; `nil` for no limit.
    /// - Throws: the error of `poll`.
    package func wait(
        for stream: FileDescriptor, _ events: CInt, until deadline: ContinuousClock.Instant? = nil
    ) throws(Errno) -> (isReady: Bool, isStopped: Bool) {
        let descriptor = descriptor
        var entries = (
            pollfd(fd: stream.rawValue, events: Int16(events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        )
        while true {
            let rest = deadline.map { ContinuousClock.now.duration(to: $0).wholeMilliseconds } ?? -1
            let timeout = pollTimeout(watching: descriptor, atMost: rest)
            let outcome = withUnsafeMutableBytes(of: &entries) {
                poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, timeout)
            }
            if outcome < 0, errno != EINTR { throw .current }
            let (isReady, isStopped) = (outcome > 0 && entries.0.revents != 0, isStopped)
            if isReady || isStopped { return (isReady, isStopped) }
            if let deadline, ContinuousClock.now >= deadline { return (false, false) }
        }
    }
}

extension Duration {
    /// The duration in milliseconds for `poll`, rounded up, so that a wait does not end before its deadline; 0 for a
    /// negative duration.
    fileprivate var wholeMilliseconds: CInt {
        let (seconds, attoseconds) = max(.zero, self).components
        guard seconds < Int64(CInt.max) / 1000 else { return .max }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// A pipe whose writing end is closed to make the reading end readable.
private final class StopPipe: StopAlarm {
    private let reading: FileDescriptor
    /// `nil` once it is closed.
    private let writing: Mutex<FileDescriptor?>

    init() throws(Errno) {
        do {
            let ends = try FileDescriptor.privatePipe()
            reading = ends.readEnd
            writing = Mutex(ends.writeEnd)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    deinit {
        ring()
        try? reading.close()
    }

    var descriptor: CInt { reading.rawValue }

    func ring() {
        let end = writing.withLock { $0.take() }
        try? end?.close()
    }
}
