import CIsolation
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Messages through a connected socket, each with its length before it, and a descriptor beside it where there is one.
struct MessageChannel: Sendable {
    let socket: FileDescriptor

    /// More than any header or list of results; what is longer was not meant.
    private static let byteLimit = 64 << 20

    #if os(Linux)
        func send(_ message: some Encodable, descriptor: FileDescriptor? = nil) throws {
            let body = try MessageEncoder.encode(message)
            let length = withUnsafeBytes(of: UInt64(body.count).littleEndian) { Array($0) }
            var (rest, descriptor) = ((length + body)[...], descriptor)
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

        /// - Parameter wait: returns when there is something to receive, or throws.
        /// - Returns: `nil` at the end.
        func receive<Message: Decodable>(
            _ type: Message.Type, wait: () throws -> Void = {}
        ) throws -> (message: Message, descriptor: FileDescriptor?)? {
            var descriptor: FileDescriptor?
            guard let length = try receive(8, &descriptor, wait) else { return nil }
            do {
                let count = length.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                guard count <= UInt64(Self.byteLimit), let body = try receive(Int(count), &descriptor, wait) else {
                    throw MessageError()
                }
                return (try MessageDecoder.decode(type, from: body), descriptor)
            } catch {
                try? descriptor?.close()
                throw error
            }
        }

        /// - Returns: that many bytes; `nil` where the end comes before.
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
