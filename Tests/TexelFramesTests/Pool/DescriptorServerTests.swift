#if os(Linux)
    import Glibc
    import SystemPackage
    import TestSupport
    import Testing

    import TexelCore
    @testable import TexelFrames

    @Suite("Descriptors over a Unix socket", .onThreads)
    struct DescriptorServerTests {
        private let directory: TemporaryDirectory
        private let path: String
        private let ring: SharedFrameRing

        init() throws {
            directory = try TemporaryDirectory()
            path = directory("frames.sock")
            ring = try SharedFrameRing(slotCount: 3, size: NumberedFrames.size)
        }

        private func connected(_ path: String) -> CInt? {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if code == 0 { return client }
            close(client)
            return nil
        }

        /// Receives a descriptor and the byte sent with it.
        private func received(_ client: CInt) -> CInt? {
            var byte: UInt8 = 9
            return withUnsafeMutablePointer(to: &byte) { byte -> CInt? in
                var bytes = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &bytes) { bytes -> CInt? in
                    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { control -> CInt? in
                        var message = msghdr()
                        message.msg_iov = bytes
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = 64
                        guard recvmsg(client, &message, 0) == 1, message.msg_controllen >= 20 else { return nil }
                        let header = control.load(as: cmsghdr.self)
                        guard header.cmsg_level == SOL_SOCKET, header.cmsg_len == 20 else { return nil }
                        return control.load(fromByteOffset: 16, as: CInt.self)
                    }
                }
            }
        }

        /// Whether the server has closed the connection.
        private func ends(_ client: CInt) -> Bool {
            var byte: UInt8 = 0
            return recv(client, &byte, 1, 0) == 0
        }

        @Test("Clients that come, go and chatter; each gets the memory, and learns of the end")
        func clientsGetTheSharedMemory() throws {
            var server: DescriptorServer? = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            var stayed: [CInt] = []
            for number in 0..<100 {
                let client = try connected(path).orFail()
                switch number % 4 {
                case 0:
                    // A client that disconnects before it receives anything.
                    close(client)
                case 1:
                    #expect(send(client, "hello", 5, CInt(MSG_NOSIGNAL)) == 5)
                    stayed.append(client)
                default:
                    let descriptor = try received(client).orFail()
                    var (mine, its) = (stat(), stat())
                    fstat(ring.descriptor.rawValue, &mine)
                    fstat(descriptor, &its)
                    #expect(mine.st_ino == its.st_ino)
                    close(descriptor)
                    if number % 4 == 2 { close(client) } else { stayed.append(client) }
                }
            }
            _ = server
            server = nil
            for client in stayed {
                _ = received(client)
                #expect(ends(client))
                close(client)
            }
            #expect(connected(path) == nil)
            #expect(access(path, F_OK) != 0)
        }

        @Test("Only the same user may connect")
        func onlyTheOwnerMayConnect() throws {
            let server = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            _ = server
        }

        @Test("A socket whose server is gone is replaced; a server that listens, a file and a directory are not")
        func onlyStaleSocketsAreReplaced() throws {
            // A stale socket file without a server.
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let dead = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(code == 0)
            close(dead)

            let server = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            #expect(throws: TexelError.cannotWrite(.addressInUse)) {
                _ = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            }
            let client = try connected(path).orFail()
            #expect(received(client) != nil)
            close(client)
            _ = server

            try directory.add("file", [1, 2, 3])
            for name in ["file", "."] {
                #expect(throws: TexelError.cannotWrite(.fileExists)) {
                    _ = try DescriptorServer(path: FilePath(directory(name)), serving: ring.descriptor)
                }
            }
            #expect(try directory.bytes("file") == [1, 2, 3])
        }

        @Test("A name that is taken by another is not removed; names that cannot be are refused")
        func namesTakenByOthersStay() throws {
            var server: DescriptorServer? = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            #expect(rename(path, directory("moved.sock")) == 0)
            try directory.add("frames.sock", [7])
            _ = server
            server = nil
            #expect(try directory.bytes("frames.sock") == [7])

            let long = directory(String(repeating: "n", count: 120))
            #expect(throws: TexelError.cannotWrite(.fileNameTooLong)) {
                _ = try DescriptorServer(path: FilePath(long), serving: ring.descriptor)
            }
            #expect(throws: TexelError.cannotWrite(.noSuchFileOrDirectory)) {
                _ = try DescriptorServer(path: FilePath(directory("missing/s")), serving: ring.descriptor)
            }
        }
    }
#endif
