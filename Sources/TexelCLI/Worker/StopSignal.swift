import SystemPackage
import Texel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lets threads wait for a stream and for the end of the work at the same time.
final class StopSignal: Sendable {
    /// A pipe without a writer, once the work has been stopped.
    private let descriptor: FileDescriptor

    /// - Throws: `Errno` where the system gives no pipe.
    init(_ stop: StopToken) throws(Errno) {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        do { ends = try FileDescriptor.pipe() } catch { throw error as? Errno ?? .ioError }
        descriptor = ends.readEnd
        stop.whenCancelled { try? ends.writeEnd.close() }
    }

    /// Blocks until a stream is ready, which a file always is, or the work has been stopped, or both.
    ///
    /// - Parameters:
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - milliseconds: how long it may take; negative is for ever.
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
