import TexelCodecs
import TexelCore
import TexelPixels

/// Visits the blocks of a GIF that has arrived completely.
struct GIFBlockWalk {
    /// A graphic control extension (GIF89a specification, 23).
    struct Control {
        var disposal: UInt8
        /// In hundredths of a second.
        var delay: Int
        var transparentIndex: UInt8?
    }

    /// An image descriptor (GIF89a specification, 20) and the position of its data.
    struct ImageHeader {
        var area: PixelRectangle
        var isInterlaced: Bool
        /// Its own colour table.
        var colors: Range<Int>?
        var data: Range<Int>
        var isCut: Bool
    }

    enum Block {
        case control(Control)
        case image(ImageHeader)
        case plainText
        case comment([UInt8])
        /// An application extension: eleven characters, and its sub-blocks with the terminator.
        case application(String, Range<Int>)
        case other
        case trailer
        /// The end of the file.
        case end(isInsideBlock: Bool)
        case unknown(UInt8)
    }

    private let bytes: InputBytes
    /// The size of the file.
    private let count: Int
    private let limits: Limits
    private let stop: StopToken?
    private(set) var position: Int
    /// Whether a block that was read is not as the specification demands, although readers accept it.
    private(set) var hasDefect = false
    private var blockCount = 0
    private var commentBytes = 0

    init(_ bytes: InputBytes, position: Int, count: Int, _ limits: Limits, _ stop: StopToken?) {
        self.bytes = bytes
        self.position = position
        self.count = count
        self.limits = limits
        self.stop = stop
    }

    /// Reads a colour table, whose size is in the flags of a descriptor; `nil` if it has none.
    ///
    /// - Throws: `truncated`.
    mutating func colorTable(flags: UInt8) throws(TexelError) -> Range<Int>? {
        guard flags & 0x80 != 0 else { return nil }
        let size = 3 << (Int(flags & 7) + 1)
        guard size <= count - position else { throw .truncated(rowsRead: 0, rows: 0) }
        defer { position += size }
        return position..<(position + size)
    }

    /// Reads the next block.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    mutating func next() throws(TexelError) -> Block {
        try stop?.check()
        // Some writers put superfluous terminators between blocks.
        while position < count, bytes[position] == 0 { position += 1 }
        guard position < count else { return .end(isInsideBlock: false) }
        blockCount += 1
        guard blockCount <= limits.chunks else {
            throw .limitExceeded(.chunks, value: blockCount, allowed: limits.chunks)
        }
        switch bytes[position] {
        case 0x21: return try readExtension()
        case 0x2C: return readImage()
        case 0x3B: return .trailer
        case let byte: return .unknown(byte)
        }
    }

    private mutating func readImage() -> Block {
        // The separator, the position, the size, the flags, then the colour table and the LZW minimum code size.
        guard position + 10 <= count else { return .end(isInsideBlock: true) }
        let start = position + 1
        let (flags, fields) = (bytes[start + 8], (0..<4).map { bytes.littleEndian(2, at: start + 2 * $0) })
        let tableSize = flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
        let data = start + 9 + tableSize
        guard data < count else {
            // Without a byte of data there is nothing to decode, but the size of the image is known.
            position = count
            return .image(
                ImageHeader(
                    area: PixelRectangle(x: fields[0], y: fields[1], width: fields[2], height: fields[3]),
                    isInterlaced: false, colors: nil, data: count..<count, isCut: true))
        }
        let (end, isWhole) = endOfSubBlocks(at: data + 1)
        position = end
        return .image(
            ImageHeader(
                area: PixelRectangle(x: fields[0], y: fields[1], width: fields[2], height: fields[3]),
                isInterlaced: flags & 0x40 != 0, colors: tableSize == 0 ? nil : (data - tableSize)..<data,
                data: data..<end, isCut: !isWhole))
    }

    private mutating func readExtension() throws(TexelError) -> Block {
        guard position + 3 <= count else { return .end(isInsideBlock: true) }
        let (label, start) = (bytes[position + 1], position + 2)
        let (end, isWhole) = endOfSubBlocks(at: start)
        guard isWhole else { return .end(isInsideBlock: true) }
        position = end
        let firstSize = Int(bytes[start])
        switch label {
        case 0xF9 where firstSize >= 4:
            let flags = bytes[start + 1]
            if firstSize != 4 || bytes[start + 5] != 0 || flags >> 2 > 3 { hasDefect = true }
            return .control(
                Control(
                    disposal: flags >> 2 & 7, delay: bytes.littleEndian(2, at: start + 2),
                    transparentIndex: flags & 1 == 1 ? bytes[start + 4] : nil))
        case 0xFE:
            commentBytes += end - start
            try checkMetadata(commentBytes)
            return .comment(Self.content(of: start..<end, in: bytes))
        case 0xFF where firstSize == 11:
            try checkMetadata(end - start)
            let name = String(decoding: bytes[(start + 1)..<(start + 12)], as: UTF8.self)
            return .application(name, (start + 12)..<end)
        case 0x01:
            if firstSize != 12 { hasDefect = true }
            return .plainText
        default: return .other
        }
    }

    private func checkMetadata(_ size: Int) throws(TexelError) {
        guard size <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: size, allowed: limits.metadataBytes)
        }
    }

    /// Returns the position after the sub-blocks that begin at `start`, and whether the file has their terminator.
    private func endOfSubBlocks(at start: Int) -> (end: Int, isWhole: Bool) {
        var position = start
        while position < count {
            let size = Int(bytes[position])
            position += size + 1
            if size == 0 { return (position, true) }
        }
        return (count, false)
    }

    /// Returns the content of sub-blocks, which are complete.
    static func content(of subBlocks: Range<Int>, in bytes: InputBytes) -> [UInt8] {
        var content: [UInt8] = []
        var position = subBlocks.lowerBound
        while position < subBlocks.upperBound, bytes[position] > 0 {
            let end = min(subBlocks.upperBound, position + 1 + Int(bytes[position]))
            content += bytes[(position + 1)..<end]
            position = end
        }
        return content
    }
}

/// XMP in an application extension (XMP specification, part 3, 1.1.2): the packet is not divided into sub-blocks. What
/// follows it leads a reader of sub-blocks to the terminator, wherever it arrives.
enum GIFXMP {
    /// 1, then 255 down to 0; the terminator follows.
    private static let magicTrailer: [UInt8] = [1] + (0...255).reversed()

    /// Returns the packet in the data of an extension with the terminator. Some writers use sub-blocks.
    static func packet(of data: Range<Int>, in bytes: InputBytes) -> [UInt8] {
        let whole = bytes[data].dropLast()
        guard whole.count >= magicTrailer.count, whole.suffix(magicTrailer.count).elementsEqual(magicTrailer) else {
            return GIFBlockWalk.content(of: data, in: bytes)
        }
        return Array(whole.dropLast(magicTrailer.count))
    }

    /// Returns the data of an extension, without the terminator.
    static func data(of packet: [UInt8]) -> [UInt8] { packet + magicTrailer }
}
