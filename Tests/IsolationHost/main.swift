// Decodes for tests, as their child. As `IsolationHost liar HEX…` it is one that somebody has taken over: it says those
// bytes, the first at once and each of the others after it was asked something. By itself it does nothing.

import SystemPackage
import TexelCodecs
import TexelFormats
import TexelPipeline
import ToyCodec

CodecRegistry.shared.register(ToyCodec())
Isolation.serveIfAsked()

if CommandLine.arguments.dropFirst().first == "liar" {
    let socket = FileDescriptor(rawValue: 3)
    for (index, lie) in CommandLine.arguments.dropFirst(2).enumerated() {
        if index > 0 { try hear(socket) }
        let digits = Array(lie)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        try socket.writeAll(bytes)
    }
    while try hear(socket) > 0 {}
}

/// Waits for something that is said.
///
/// - Returns: of how many bytes, as far as they came at once; none at the end.
@discardableResult func hear(_ socket: FileDescriptor) throws -> Int {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { try socket.read(into: $0) }
}
