#if os(Linux)
    import CFrameRing
    import Glibc
    import SystemPackage
    import TexelPipeline

    /// Gives a descriptor to whoever connects to a Unix socket. Connections stay open until the server ends, so that
    /// clients learn of that end, however it comes. What clients send is thrown away.
    ///
    /// Only the same user can connect. The socket's file is removed at the end.
    final class DescriptorServer: Sendable {
        private let path: FilePath
        private let file: FileIdentity
        private let stop = FrameStop()
        private let thread: WorkerThread

        private static let clientLimit = 256

        /// - Throws: `cannotWrite`: `addressInUse` when another server listens there, `fileExists` when there is
        ///   something else than a socket.
        init(path: FilePath, serving descriptor: FileDescriptor) throws(FrameError) {
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
            stop.stop()
            thread.join()
            // Another server may have taken the name.
            if FileIdentity(path) == file { unlink(path.string) }
        }

        private static func listen(_ path: FilePath) throws(FrameError) -> CInt {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.string.utf8)
            // The last byte stays zero.
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw .cannotWrite(.fileNameTooLong)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let listener = makeSocket()
            guard listener >= 0 else { throw .cannotWrite(Errno(rawValue: errno)) }
            // On Linux the file begins with the socket's own permissions, so that nobody else can ever connect.
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

        /// Whether the file is a socket that nobody listens on.
        private static func isStale(_ path: FilePath, _ address: inout sockaddr_un) -> Bool {
            guard FileIdentity(path)?.isSocket == true else { return false }
            let probe = makeSocket()
            guard probe >= 0 else { return false }
            defer { close(probe) }
            return withSocketAddress(&address) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
        }

        private static func serve(_ descriptor: FileDescriptor, _ listener: CInt, _ stop: FrameStop) {
            let isReadable = Int16(POLLIN)
            var watched = [
                pollfd(fd: stop.descriptor, events: isReadable, revents: 0),
                pollfd(fd: listener, events: isReadable, revents: 0),
            ]
            while !stop.isStopped {
                // Where the system gave no descriptor to wait by, it is asked now and then.
                guard poll(&watched, nfds_t(watched.count), stop.descriptor < 0 ? 50 : -1) > 0 else { continue }
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
                    // Clients wait until descriptors are free again.
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

        /// A socket that does not wait and that children do not inherit.
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

    /// Which file a path names.
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
