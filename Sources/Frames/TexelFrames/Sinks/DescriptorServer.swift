import TexelCore

#if os(Linux)
    import CFrameRing
    import Glibc
    import SystemPackage
    import TexelCodecs
    import TexelPipeline
    import TexelPixels

    /// Sends a descriptor to every client that connects to a Unix socket. Connections stay open until the server ends,
    /// so that clients notice its end, including a crash. Data from clients is discarded.
    ///
    /// Only the same user can connect. The socket file is removed at the end.
    final class DescriptorServer: Sendable {
        private let path: FilePath
        private let file: FileIdentity
        private let stop = StopToken()
        private let thread: WorkerThread

        private static let clientLimit = 256

        /// Starts to listen.
        ///
        /// - Throws: `cannotWrite`, with `addressInUse` if another server listens at the path and `fileExists` if there
        ///   is a file that is not a socket.
        init(path: FilePath, serving descriptor: FileDescriptor) throws(TexelError) {
            let socket = try Self.listen(path)
            self.path = path
            let stop = stop
            guard let file = FileIdentity(path),
                let thread = WorkerThread({ Self.serve(descriptor, socket, stop) })
            else {
                close(socket)
                unlink(path.string)
                throw .cannotWrite(.resourceTemporarilyUnavailable)
            }
            (self.file, self.thread) = (file, thread)
        }

        /// Ends all connections.
        deinit {
            stop.cancel()
            thread.join()
            // Another server may have replaced the socket file.
            if FileIdentity(path) == file { unlink(path.string) }
        }

        private static func listen(_ path: FilePath) throws(TexelError) -> CInt {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.string.utf8)
            // The path must stay zero-terminated.
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw .cannotWrite(.fileNameTooLong)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let listener = makeSocket()
            guard listener >= 0 else { throw .cannotWrite(Errno(rawValue: errno)) }
            // On Linux the socket file inherits these permissions at `bind`, so other users can never connect.
            fchmod(listener, S_IRUSR | S_IWUSR)
            var code = withSocketAddress(&address) { bind(listener, $0, $1) }
            if code != 0, errno == EADDRINUSE, isStale(path, &address), unlink(path.string) == 0 {
                code = withSocketAddress(&address) { bind(listener, $0, $1) }
            }
            if code == 0 { code = Glibc.listen(listener, 16) }
            guard code == 0 else {
                let reason = Errno(rawValue: errno)
                close(listener)
                let isSocket = FileIdentity(path)?.isSocket ?? true
                throw .cannotWrite(reason == .addressInUse && !isSocket ? .fileExists : reason)
            }
            return listener
        }

        /// Whether the file is a socket without a listener.
        private static func isStale(_ path: FilePath, _ address: inout sockaddr_un) -> Bool {
            guard FileIdentity(path)?.isSocket == true else { return false }
            let probe = makeSocket()
            guard probe >= 0 else { return false }
            defer { close(probe) }
            return withSocketAddress(&address) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
        }

        private static func serve(_ descriptor: FileDescriptor, _ listener: CInt, _ stop: StopToken) {
            let isReadable = Int16(POLLIN)
            let stopDescriptor = stop.descriptor
            var watched = [
                pollfd(fd: stopDescriptor, events: isReadable, revents: 0),
                pollfd(fd: listener, events: isReadable, revents: 0),
            ]
            while !stop.isStopped {
                let timeout = stop.pollTimeout(watching: stopDescriptor)
                guard poll(&watched, nfds_t(watched.count), timeout) > 0 else { continue }
                for index in watched.indices.dropFirst(2).reversed() where watched[index].revents != 0 {
                    if hasLeft(watched[index].fd) {
                        close(watched[index].fd)
                        watched.remove(at: index)
                    }
                }
                guard watched[1].revents != 0 else { continue }
                let client = texel_accept(listener)
                if client >= 0 {
                    if watched.count < clientLimit + 2, texel_send_descriptor(client, descriptor.rawValue) == 0 {
                        watched.append(pollfd(fd: client, events: isReadable, revents: 0))
                    } else {
                        close(client)
                    }
                } else if errno == EMFILE || errno == ENFILE {
                    // Out of descriptors: clients stay in the backlog until some are free.
                    var rest = watched[0]
                    _ = poll(&rest, 1, 50)
                }
            }
            close(listener)
            for client in watched.dropFirst(2) { close(client.fd) }
        }

        private static func hasLeft(_ client: CInt) -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
                let count = recv(client, bytes.baseAddress, bytes.count, 0)
                return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
            }
        }

        /// Creates a non-blocking, close-on-exec socket.
        private static func makeSocket() -> CInt {
            let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            return socket(AF_UNIX, CInt(flags), 0)
        }

        private static func withSocketAddress(
            _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
        ) -> CInt {
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
            }
        }
    }

    /// The identity of the file at a path.
    private struct FileIdentity: Sendable, Equatable {
        private var device: dev_t
        private var number: ino_t
        var isSocket: Bool

        init?(_ path: FilePath) {
            var status = stat()
            guard lstat(path.string, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
            isSocket = status.st_mode & S_IFMT == S_IFSOCK
        }
    }
#endif
