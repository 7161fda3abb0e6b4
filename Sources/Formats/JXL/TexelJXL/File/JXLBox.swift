import TexelCodecs
import TexelCore

/// A box of the container (ISO/IEC 18181-2, 4).
struct JXLBox: Sendable {
    /// Four characters.
    var type: String
    /// The position of the box's header.
    var start: Int
    /// The position of its content. The file may end before; a box that reaches to the end of the file, whatever that
    /// is, ends at `Int.max`.
    var content: Range<Int>

    /// The box in which a file begins: its size, its type and four bytes that damaged transfers change.
    static let signature: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]

    /// Reads the header at `start`; `nil` at the end of the file, or if it ends inside the header.
    ///
    /// - Throws: `damaged` for a size that does not include the header; `stopped`, while waiting for bytes.
    init?(_ bytes: InputBytes, at start: Int, _ stop: StopToken?) throws(TexelError) {
        guard try bytes.has(start + 8, stop) else { return nil }
        type = String(decoding: bytes[(start + 4)..<(start + 8)], as: UTF8.self)
        self.start = start
        var (headerSize, size) = (8, bytes.bigEndian(4, at: start))
        if size == 1 {
            guard try bytes.has(start + 16, stop) else { return nil }
            headerSize = 16
            // Files have fewer bytes than 63 bits count; a larger size is that of a box that is cut.
            size = bytes[start + 8] > 0x7F ? Int.max : bytes.bigEndian(8, at: start + 8)
        } else if size == 0 {
            size = Int.max
        }
        guard size >= headerSize else { throw .jxl(.invalidValue(size, of: "size", context: "a box")) }
        let (end, isTooLarge) = start.addingReportingOverflow(size)
        content = (start + headerSize)..<(isTooLarge ? Int.max : end)
    }

    /// The position of the next box.
    var end: Int { content.upperBound }
}

/// Visits the boxes of a container.
struct JXLBoxWalk: Sendable {
    private let bytes: InputBytes
    private let limits: Limits
    private let stop: StopToken?
    private var position = JXLBox.signature.count
    private var count = 0
    /// Whether the file ended inside a box.
    private(set) var isCut = false

    init(_ bytes: InputBytes, _ limits: Limits, _ stop: StopToken?) {
        (self.bytes, self.limits, self.stop) = (bytes, limits, stop)
    }

    /// Returns the next box; `nil` at the end of the file. Waits for the header of the box, not for its content.
    ///
    /// - Throws: `damaged`, `limitExceeded`, `stopped`.
    mutating func next() throws(TexelError) -> JXLBox? {
        guard position < .max, let box = try JXLBox(bytes, at: position, stop) else {
            isCut = isCut || position < .max && (bytes.wholeCount ?? position) != position
            return nil
        }
        count += 1
        guard count <= limits.chunks else {
            throw .limitExceeded(.chunks, value: count, allowed: limits.chunks)
        }
        position = box.end
        return box
    }
}
