package import TexelCore

/// The position of a box in a file (ISO/IEC 14496-12, 4.2).
package struct ISOBox: Sendable, Hashable {
    package let type: BoxType
    /// The whole box with its header. The file may end before, unless the box is inside another one.
    package let range: Range<Int>
    /// The content.
    package let payload: Range<Int>
    /// Whether the size field is 0: the box ends with the file.
    package let extendsToEnd: Bool
}

/// Reads the fields of a box. The bytes must have arrived.
package struct ISOReader {
    private let bytes: InputBytes
    private let format: ImageFormat
    /// The position of the next field.
    package private(set) var position: Int
    /// The end of the box's content.
    package let end: Int

    package init(_ bytes: InputBytes, _ range: Range<Int>, _ format: ImageFormat) {
        (self.bytes, self.format) = (bytes, format)
        (position, end) = (range.lowerBound, range.upperBound)
    }

    /// The number of bytes left.
    package var count: Int { end - position }

    /// Reads a big-endian number of `count` bytes, 0 to 8; a number of no bytes is 0.
    ///
    /// - Throws: `damaged` if the box is too short, or the number does not fit into 63 bits.
    package mutating func unsigned(_ count: Int) throws(TexelError) -> Int {
        guard count <= self.count else { throw .damaged(format, .corrupt("a box is too short for its fields")) }
        // The bytes are inside the box, so they have arrived.
        let value = bytes.bigEndian(count, at: position)
        position += count
        guard value >= 0 else { throw .damaged(format, .corrupt("a number is too large")) }
        return value
    }

    /// Reads a signed number of four bytes.
    package mutating func signed32() throws(TexelError) -> Int {
        Int(Int32(truncatingIfNeeded: try unsigned(4)))
    }

    /// Reads a four-character code.
    package mutating func type() throws(TexelError) -> BoxType {
        BoxType(UInt32(truncatingIfNeeded: try unsigned(4)))
    }

    /// Skips `count` bytes.
    package mutating func skip(_ count: Int) throws(TexelError) {
        guard count <= self.count else { throw .damaged(format, .corrupt("a box is too short for its fields")) }
        position += count
    }

    /// Reads a text up to its NUL or to the end of the box; consumes the NUL.
    package mutating func text() -> String {
        var characters: [UInt8] = []
        while position < end {
            let byte = bytes[position]
            position += 1
            if byte == 0 { break }
            characters.append(byte)
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads the version and the flags of a full box (ISO/IEC 14496-12, 4.2).
    package mutating func versionAndFlags() throws(TexelError) -> (version: Int, flags: Int) {
        (try unsigned(1), try unsigned(3))
    }
}
