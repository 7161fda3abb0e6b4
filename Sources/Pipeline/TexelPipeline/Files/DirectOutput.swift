import PlatformLibc
package import SystemPackage
import TexelCodecs
package import TexelCore

/// Writes to a pipe, a socket or a device, whose reader may be slow or missing, until there is a reason to stop. Also
/// writes to a regular file that is open already.
package struct DirectOutput: ~Copyable, Sendable {
    /// Why a write ended early.
    package enum Failure: Error {
        case stopped
        case system(Errno)

        /// The error as a system's error.
        package var errno: Errno {
            switch self {
            case .stopped: .canceled
            case .system(let errno): errno
            }
        }
    }

    private let descriptor: FileDescriptor
    private let isOwned: Bool
    private let waiting: Waiting
    private let stop: StopToken

    private enum Waiting {
        /// The descriptor is that of a file, which has no reader, or cannot be written to.
        case never
        /// A write fails instead of waiting.
        case fails
        /// A write blocks.
        case blocks
    }

    /// How long a write may wait after a stop, so that a reader that is there gets all of it.
    private static let patience = Duration.milliseconds(100)
    /// How long to wait before a named pipe is opened again, which fails while it has no reader.
    private static let openingInterval = Duration.milliseconds(10)
    private static let options = O_WRONLY | O_NONBLOCK | O_NOCTTY

    /// Opens a named pipe, which waits for its reader, or a device.
    package init(opening path: FilePath, stop: StopToken) throws(Failure) {
        descriptor = try Self.opened(path, stop)
        (isOwned, waiting) = (true, .fails)
        self.stop = stop
    }

    private static func opened(_ path: FilePath, _ stop: StopToken) throws(Failure) -> FileDescriptor {
        while !stop.isStopped {
            do throws(Errno) {
                return try FilePlace(path).open(options, [])
            } catch {
                guard error == .noSuchAddressOrDevice, FileStatus(path)?.isPipe == true else { throw .system(error) }
            }
            stop.wait(until: .now + openingInterval)
        }
        throw .stopped
    }

    /// Writes to an open descriptor, which is not closed.
    package init(_ descriptor: FileDescriptor, stop: StopToken) {
        self.stop = stop
        // A descriptor that is open for reading only fails in any case.
        let isWritable = fcntl(descriptor.rawValue, F_GETFL) & O_ACCMODE != O_RDONLY
        guard isWritable, FileStatus(descriptor)?.isDeviceOrPipe == true else {
            (self.descriptor, isOwned, waiting) = (descriptor, false, .never)
            return
        }
        // Opened again, because a change of this descriptor would affect other processes that share it. Not possible
        // for sockets, and for pipes of other users.
        let path = FilePath("/proc/self/fd/\(descriptor.rawValue)")
        if let own = try? FilePlace(path).open(Self.options, []) {
            (self.descriptor, isOwned, waiting) = (own, true, .fails)
        } else {
            (self.descriptor, isOwned, waiting) = (descriptor, false, .blocks)
        }
    }

    deinit { if isOwned { try? descriptor.close() } }

    /// Makes a pipe hold more bytes, which saves context switches. Has no effect on others, and above the system's
    /// limit.
    package func enlargePipe() {
        #if os(Linux)
            // 1031 is F_SETPIPE_SZ, which Swift does not import.
            _ = fcntl(descriptor.rawValue, 1031, 1 << 20)
        #endif
    }

    /// Writes all bytes; waits while the reader is slow, but not for long after a stop.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes
        var deadline: ContinuousClock.Instant?
        while !rest.isEmpty {
            do throws(Errno) {
                // If `poll` reports a pipe as writable, a write of up to PIPE_BUF bytes neither blocks nor is split.
                if waiting == .blocks, try !hasRoom(&deadline) { throw .canceled }
                let count = try BrokenPipeSignal.held { () throws(Errno) in
                    try writeSome(rest, atMost: waiting == .blocks ? Int(PIPE_BUF) : .max)
                }
                if count == 0, try !hasRoom(&deadline) { throw .canceled }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } catch {
                throw error == .canceled ? .stopped : .system(error)
            }
        }
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        try bytes.span.withUnsafeBytes { (bytes) throws(Failure) in try write(bytes) }
    }

    /// Waits until the reader has room, or until ``patience`` has passed since a stop.
    private func hasRoom(_ deadline: inout ContinuousClock.Instant?) throws(Errno) -> Bool {
        if deadline == nil, try stop.wait(for: descriptor, POLLOUT).isReady { return true }
        let end = deadline ?? .now + Self.patience
        deadline = end
        return try StopToken().wait(for: descriptor, POLLOUT, until: end).isReady
    }

    /// - Returns: the number of written bytes; 0 if the reader has no room.
    private func writeSome(_ bytes: UnsafeRawBufferPointer, atMost limit: Int) throws(Errno) -> Int {
        let count = systemWrite(descriptor.rawValue, bytes.baseAddress, min(bytes.count, limit))
        guard count < 0 else { return count }
        switch Errno.current {
        case .interrupted, .resourceTemporarilyUnavailable, .wouldBlock: return 0
        case let error: throw error
        }
    }
}

/// Calls the system's `write`, which the methods above shadow.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
