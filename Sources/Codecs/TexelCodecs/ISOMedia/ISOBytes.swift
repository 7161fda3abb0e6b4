/// Builds boxes.
package enum ISOBytes {
    /// Returns a big-endian number of `count` bytes.
    package static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// Returns a box. Contents have less than 4 GB.
    package static func box(_ type: BoxType, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + type.bytes + content
    }

    /// Returns a full box: with a version and flags.
    package static func box(_ type: BoxType, version: Int, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [UInt8(truncatingIfNeeded: version)] + number(flags, 3) + content)
    }

    /// Returns the handler of images (ISO/IEC 14496-12, 8.4.3).
    package static var imageHandler: [UInt8] {
        box("hdlr", version: 0, number(0, 4) + BoxType("pict").bytes + number(0, 12) + [0])
    }
}
