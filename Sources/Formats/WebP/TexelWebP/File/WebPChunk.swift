import TexelCodecs
import TexelCore

/// A chunk of a WebP file (RFC 9649, 2.3).
struct WebPChunk: Sendable {
    /// Four characters, some of which may be spaces.
    var name: String
    /// The position of the chunk's header.
    var start: Int
    /// The position of its data. The file may end before.
    var data: Range<Int>

    /// The size of a chunk's header: its name and the size of its data.
    static let headerSize = 8

    /// The header and the data.
    var range: Range<Int> { start..<data.upperBound }

    /// The position of the next chunk: data of odd size are followed by one byte.
    var end: Int { data.upperBound + data.count % 2 }

    /// Reads the header at `start`; `nil` at the end of the file.
    ///
    /// - Throws: `stopped`, while waiting for bytes.
    init?(_ bytes: InputBytes, at start: Int, _ stop: StopToken?) throws(TexelError) {
        guard try bytes.has(start + Self.headerSize, stop) else { return nil }
        name = String(decoding: bytes[start..<(start + 4)], as: UTF8.self)
        self.start = start
        let data = start + Self.headerSize
        self.data = data..<(data + bytes.littleEndian(4, at: start + 4))
    }
}
