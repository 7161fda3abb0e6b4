import PlatformLibc
import SystemPackage
import Texel

/// Lets a thread wait for a stream and for the end of the work at the same time.
final class StopSignal: Sendable {
    /// The read end of a pipe whose write end is closed when the work is stopped.
    private let descriptor: FileDescriptor

    /// - Throws: `Errno` if no pipe can be created.
    init(_ stop: StopToken) throws(Errno) {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        do { ends = try FileDescriptor.pipe() } catch { throw error as? Errno ?? .ioError }
        descriptor = ends.readEnd
        stop.whenCancelled { try? ends.writeEnd.close() }
    }

    /// Blocks until a stream is ready (as a file always is), the work is stopped, or both.
    ///
    /// - Parameters:
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - milliseconds: the timeout; negative for none.
    func wait(
        for stream: FileDescriptor, _ events: Int32, milliseconds: Int32 = -1
    ) -> (isReady: Bool, isStopped: Bool) {
        var waits = [
            pollfd(fd: stream.rawValue, events: Int16(events), revents: 0),
            pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, nfds_t(waits.count), milliseconds) < 0, errno == EINTR {}
        return (waits[0].revents != 0, waits[1].revents != 0)
    }
}
