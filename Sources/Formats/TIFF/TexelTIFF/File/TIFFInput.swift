import TexelCodecs
import TexelCore

/// The bytes of a TIFF file with the header's byte order and offset size. Every offset in the file is untrusted:
/// reading returns `nil` for numbers that are not inside the file.
struct TIFFInput: Sendable {
    let bytes: InputBytes
    let order: ByteOrder
    /// Whether this is a BigTIFF, with 64-bit offsets.
    let isBig: Bool
    /// The offset of the first directory.
    let firstDirectory: Int
    /// The limits on directories and metadata.
    let limits: Limits

    /// The bytes that determine whether a file is a TIFF.
    static let signatureSize = 4

    /// Whether a file begins with the header of a TIFF (version 42) or BigTIFF (version 43).
    static func recognizes(_ head: [UInt8]) -> Bool {
        guard head.count >= signatureSize else { return false }
        switch (head[0], head[1], head[2], head[3]) {
        case (0x49, 0x49, 42, 0), (0x49, 0x49, 43, 0), (0x4D, 0x4D, 0, 42), (0x4D, 0x4D, 0, 43): return true
        default: return false
        }
    }

    /// Reads the header.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported` for files that only begin like a TIFF, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        guard try bytes.has(8, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        (self.bytes, self.limits) = (bytes, limits)
        order = bytes[0] == 0x4D ? .bigEndian : .littleEndian
        isBig = (order == .bigEndian ? bytes[3] : bytes[2]) == 43
        let header = Header(bytes: bytes, order: order)
        var offset = header.number(4, 4)
        if isBig {
            guard try bytes.has(16, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
            let size = header.number(4, 2)
            guard size == 8, header.number(6, 2) == 0 else {
                throw .tiff(.invalidValue(Int(clamping: size), of: "offset size"))
            }
            offset = header.number(8, 8)
        } else if try bytes.has(10, stop), bytes[8..<10].elementsEqual("CR".utf8) {
            throw .unsupported("a camera raw image")
        }
        guard let position = Int(exactly: offset), position >= (isBig ? 16 : 8) else {
            throw .tiff(.invalidValue(Int(clamping: offset), of: "offset of the first directory"))
        }
        firstDirectory = position
    }

    /// Reads numbers that are known to be there.
    private struct Header {
        let bytes: InputBytes
        let order: ByteOrder

        func number(_ offset: Int, _ size: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: order.number(size, at: offset, in: bytes))
        }
    }

    /// The size of an entry of a directory.
    var entrySize: Int { isBig ? 20 : 12 }
    /// The size of an offset.
    var offsetSize: Int { isBig ? 8 : 4 }

    /// Reads a number of `size` bytes; `nil` if the file ends before it.
    ///
    /// - Throws: `stopped`.
    func number(at offset: Int, size: Int, _ stop: StopToken?) throws(TexelError) -> UInt64? {
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard offset >= 0, !overflow, try bytes.has(end, stop) else { return nil }
        return UInt64(truncatingIfNeeded: order.number(size, at: offset, in: bytes))
    }
}
