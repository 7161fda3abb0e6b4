import Foundation
import PlatformLibc
import Synchronization

/// A server on the loopback interface that answers with the bytes that a test writes, valid HTTP or not.
///
/// Each connection has its own thread; all threads end when the server is released.
public final class LoopbackServer: Sendable {
    /// A request that the server has received.
    public struct Request: Sendable {
        /// The request target, between the method and the version.
        public var target: String
        /// The header fields, with names in lower case.
        public var fields: [String: String]
    }

    /// The port on which the server listens.
    public let port: Int
    private let socket: LoopbackSocket
    private let log: Log

    fileprivate final class Log: Sendable {
        let requests = Mutex<[Request]>([])
        let connections = Mutex<Connections>(Connections())
    }

    fileprivate struct Connections {
        var open: Set<Int32> = []
        var count = 0
        var isStopped = false
    }

    /// Starts the server.
    ///
    /// - Parameter answer: called for each request, on the connection's thread.
    public init(_ answer: @escaping @Sendable (Request, Connection) -> Void) throws {
        let socket = try LoopbackSocket()
        guard listen(socket.descriptor, 256) == 0 else { throw LoopbackSocket.Fault(code: errno) }
        self.socket = socket
        port = socket.port
        let log = Log()
        self.log = log
        Thread.detachNewThread {
            while case let descriptor = accept(socket.descriptor, nil, nil), descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                let isOpen = log.connections.withLock { connections in
                    guard !connections.isStopped else { return false }
                    connections.open.insert(descriptor)
                    connections.count += 1
                    return true
                }
                guard isOpen else {
                    close(descriptor)
                    break
                }
                Thread.detachNewThread {
                    let connection = Connection(descriptor)
                    while let request = connection.readRequest() {
                        log.requests.withLock { $0.append(request) }
                        answer(request, connection)
                    }
                    log.connections.withLock { _ = $0.open.remove(descriptor) }
                    close(descriptor)
                }
            }
        }
    }

    /// Starts a server that answers each request with the same bytes and keeps the connection open.
    public convenience init(answering text: String) throws {
        try self.init { _, connection in connection.write(text) }
    }

    deinit {
        log.connections.withLock { connections in
            connections.isStopped = true
            for descriptor in connections.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        // Unblocks the thread that accepts connections.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }

    public func url(_ target: String = "/picture.png") -> String { "http://127.0.0.1:\(port)\(target)" }

    public var requests: [Request] { log.requests.withLock { $0 } }
    public var connectionCount: Int { log.connections.withLock { $0.count } }
}

extension LoopbackServer {
    /// A connection; to be used on its own thread.
    public struct Connection {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Sends bytes; returns false if the client has closed the connection.
        @discardableResult
        public func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Sends a complete response with status 200.
        public func answer(_ bytes: [UInt8], fields: String = "Content-Type: image/png\r\n") {
            write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\(fields)\r\n")
            write(bytes)
        }

        /// Shuts the connection down.
        public func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Resets the connection, as when a server crashes.
        public func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            close()
        }

        /// Waits until the client has closed the connection.
        public func waitUntilClosed() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        fileprivate func readRequest() -> Request? {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while !text.suffix(4).elementsEqual([13, 10, 13, 10]) {
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                text.append(byte)
            }
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                if pair.count == 2 { fields[pair[0].lowercased()] = String(pair[1].drop { $0 == " " }) }
            }
            let words = lines.first?.split(separator: " ") ?? []
            return Request(target: words.count > 1 ? String(words[1]) : "", fields: fields)
        }
    }
}

/// A socket that is bound to a free port of the loopback interface. Connections are refused until it listens.
public final class LoopbackSocket: Sendable {
    fileprivate let descriptor: Int32
    public let port: Int

    public struct Fault: Error {
        public var code: Int32
    }

    public init() throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            let descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard isBound else { throw Fault(code: errno) }
    }

    deinit { close(descriptor) }
}

#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif
