import TexelCodecs
import TexelCore

/// Builds the bytes of a PNG file chunk by chunk (PNG specification, third edition, section 5).
struct PNGChunkWriter {
    private(set) var bytes: [UInt8]

    /// - Parameter bytes: those before the first chunk.
    init(bytes: [UInt8] = PNGFile.signature) { self.bytes = bytes }

    mutating func append(_ name: String, _ data: [UInt8]) {
        bytes += Self.bigEndian(UInt32(clamping: data.count))
        let begin = bytes.count
        bytes += name.utf8
        bytes += data
        bytes += Self.bigEndian(bytes[begin...].withUnsafeBytes { CRC32.checksum($0) })
    }

    /// Appends a complete chunk of another file.
    mutating func append(copy chunk: some Collection<UInt8>) { bytes += chunk }

    /// Appends the zlib stream of the pixels, one IDAT chunk per part. Frees each part after it has been copied.
    mutating func append(pixels parts: consuming [[UInt8]]) {
        bytes.reserveCapacity(bytes.count + parts.reduce(0) { $0 + $1.count + Self.overhead })
        for index in parts.indices {
            append("IDAT", parts[index])
            parts[index] = []
        }
    }

    /// Moves the bytes so far to a sink.
    mutating func drain(to sink: OutputSink) throws(TexelError) {
        try sink.append(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The size of length, name and checksum.
    private static let overhead = 12

    static func bigEndian(_ value: UInt32) -> [UInt8] { [UInt8](bigEndian: Int(value), count: 4) }
}
