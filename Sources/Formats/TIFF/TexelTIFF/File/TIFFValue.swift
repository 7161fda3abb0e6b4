import TexelCodecs

/// A field to be written, in the byte order of its file.
struct TIFFValue: Sendable {
    let tag: UInt16
    let type: UInt16
    let count: Int
    var bytes: [UInt8]

    /// - Parameter bytes: `count` elements of the type.
    init(tag: UInt16, type: UInt16, count: Int, bytes: [UInt8]) {
        (self.tag, self.type, self.count, self.bytes) = (tag, type, count, bytes)
    }

    /// A field of SHORT, LONG or LONG8 integers.
    init(_ tag: UInt16, _ type: UInt16, _ numbers: [Int], _ order: ByteOrder) {
        let size = TIFFEntry.elementSize(type) ?? 1
        self.init(
            tag: tag, type: type, count: numbers.count,
            bytes: numbers.flatMap { order.bytes(max(0, $0), count: size) })
    }

    /// A field of bytes without a type.
    init(_ tag: UInt16, undefined bytes: [UInt8]) {
        self.init(tag: tag, type: TIFFType.undefined.rawValue, count: bytes.count, bytes: bytes)
    }

    static let short = TIFFType.short.rawValue
    static let long = TIFFType.long.rawValue
    /// BigTIFF's LONG8.
    static let long8: UInt16 = 16
}

/// The form of a file: byte order, and size of offsets.
struct TIFFForm: Sendable {
    var order: ByteOrder
    var isBig: Bool

    var headerSize: Int { isBig ? 16 : 8 }
    var offsetSize: Int { isBig ? 8 : 4 }
    /// The type of fields that hold offsets.
    var offsetType: UInt16 { isBig ? TIFFValue.long8 : TIFFValue.long }

    /// The header of a file whose first directory follows it.
    var header: [UInt8] {
        let mark: [UInt8] = order == .bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        let version = order.bytes(UInt16(isBig ? 43 : 42))
        let sizes = isBig ? order.bytes(UInt16(8)) + [0, 0] : []
        return mark + version + sizes + offset(headerSize)
    }

    func offset(_ value: Int) -> [UInt8] { order.bytes(max(0, value), count: offsetSize) }

    /// The size of a directory and of its values, which follow it; even.
    func size(of values: [TIFFValue]) -> Int {
        let outside = values.reduce(0) { $0 + ($1.bytes.count > offsetSize ? $1.bytes.count + $1.bytes.count % 2 : 0) }
        return linkPosition(of: values) + offsetSize + outside
    }

    /// The position in a directory of the offset of the next one.
    func linkPosition(of values: [TIFFValue]) -> Int { (isBig ? 8 : 2) + values.count * (isBig ? 20 : 12) }

    /// Returns a directory and its values.
    ///
    /// - Parameters:
    ///   - offset: the position of the directory in the file.
    ///   - next: the position of the next directory; 0 for none.
    func directory(_ values: [TIFFValue], at offset: Int, next: Int) -> [UInt8] {
        var outside: [UInt8] = []
        let outsideOffset = offset + linkPosition(of: values) + offsetSize
        var bytes = order.bytes(values.count, count: isBig ? 8 : 2)
        for value in values.sorted(by: { $0.tag < $1.tag }) {
            bytes += order.bytes(value.tag) + order.bytes(value.type)
            bytes += self.offset(value.count)
            if value.bytes.count <= offsetSize {
                bytes += value.bytes + [UInt8](repeating: 0, count: offsetSize - value.bytes.count)
            } else {
                bytes += self.offset(outsideOffset + outside.count)
                outside += value.bytes + [UInt8](repeating: 0, count: value.bytes.count % 2)
            }
        }
        return bytes + self.offset(next) + outside
    }
}
