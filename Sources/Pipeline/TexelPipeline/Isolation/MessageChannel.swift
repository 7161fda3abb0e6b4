import CIsolation
import PlatformLibc
import SystemPackage
import TexelOperations
import TexelPixels

/// Sends and receives messages through a connected socket, each preceded by its length, with an optional descriptor.
struct MessageChannel: Sendable {
    let socket: FileDescriptor

    /// The maximum bytes of a message; headers and lists of results are smaller.
    private static let byteLimit = 64 << 20

    #if os(Linux)
        func send(_ message: some Encodable, descriptor: FileDescriptor? = nil) throws {
            let body = try MessageEncoder.encode(message)
            var (rest, descriptor) = (([UInt8](littleEndian: body.count, count: 8) + body)[...], descriptor)
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { texel_send(socket.rawValue, $0, bytes.count, descriptor?.rawValue ?? -1) }
                        ?? 0
                }
                guard sent > 0 else { throw Errno(rawValue: errno) }
                descriptor = nil
                rest = rest.dropFirst(sent)
            }
        }

        /// Receives a message.
        ///
        /// - Parameter wait: called before each read; returns when the socket is readable, or throws.
        /// - Returns: `nil` if the connection was closed.
        func receive<Message: Decodable>(
            _ type: Message.Type, wait: () throws -> Void = {}
        ) throws -> (message: Message, descriptor: FileDescriptor?)? {
            var descriptor: FileDescriptor?
            guard let length = try receive(8, &descriptor, wait) else { return nil }
            do {
                let count = length.littleEndian(8, at: 0)
                guard (0...Self.byteLimit).contains(count), let body = try receive(count, &descriptor, wait) else {
                    throw MessageError()
                }
                return (try MessageDecoder.decode(type, from: body), descriptor)
            } catch {
                try? descriptor?.close()
                throw error
            }
        }

        /// - Returns: exactly `count` bytes; `nil` if the connection is closed before.
        private func receive(
            _ count: Int, _ descriptor: inout FileDescriptor?, _ wait: () throws -> Void
        ) throws -> [UInt8]? {
            var received = 0
            let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
                while received < count, let base = buffer.baseAddress {
                    try wait()
                    var passed: CInt = -1
                    let step = texel_receive(socket.rawValue, base + received, count - received, &passed)
                    if passed >= 0 {
                        try? descriptor?.close()
                        descriptor = FileDescriptor(rawValue: passed)
                    }
                    guard step >= 0 else { throw Errno(rawValue: errno) }
                    if step == 0 { break }
                    received += step
                }
                initializedCount = received
            }
            return received == count ? bytes : nil
        }
    #endif
}
