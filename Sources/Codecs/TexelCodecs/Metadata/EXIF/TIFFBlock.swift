/// The bytes of a TIFF block, read and written only through checked offsets.
///
/// Every number in the block is untrusted: reading returns `nil` if an offset is outside the block.
package struct TIFFBlock: Sendable, Hashable {
    package private(set) var bytes: [UInt8]
    package let byteOrder: ByteOrder

    static let headerSize = 8

    /// Creates a block; `nil` unless the bytes start with a TIFF header. Removes a preceding "Exif", NUL, padding byte,
    /// the JPEG identifier, which some writers also put elsewhere.
    package init?(_ source: [UInt8]) {
        let isPrefixed = source.count >= 6 && source[0..<5].elementsEqual("Exif\0".utf8)
        let bytes = isPrefixed ? Array(source[6...]) : source
        guard bytes.count >= Self.headerSize else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x49, 0x49, 42, 0): self.byteOrder = .littleEndian
        case (0x4D, 0x4D, 0, 42): self.byteOrder = .bigEndian
        default: return nil
        }
        self.bytes = bytes
    }

    // MARK: Reading

    /// Reads two bytes as a number; `nil` if they are not inside the block.
    package func uint16(at offset: Int) -> UInt16? {
        contains(offset, count: 2)
            ? UInt16(truncatingIfNeeded: byteOrder.number(2, at: offset, in: bytes)) : nil
    }

    /// Reads four bytes as a number; `nil` if they are not inside the block.
    package func uint32(at offset: Int) -> UInt32? {
        contains(offset, count: 4)
            ? UInt32(truncatingIfNeeded: byteOrder.number(4, at: offset, in: bytes)) : nil
    }

    private func contains(_ offset: Int, count: Int) -> Bool {
        offset >= 0 && count >= 0 && count <= bytes.count && offset <= bytes.count - count
    }

    // MARK: Directories

    /// The offset of the directory that the header points to.
    var firstDirectoryOffset: UInt32? { uint32(at: 4) }

    /// Reads the directory at `offset`, with at most as many entries as fit in the block; `nil` if it is invalid or
    /// empty.
    func directory(at offset: UInt32) -> TIFFDirectory? {
        guard let start = Int(exactly: offset), start >= Self.headerSize, let claimed = uint16(at: start) else {
            return nil
        }
        // `uint16` has checked that two bytes at `start` are inside the block.
        let available = (bytes.count - start - 2) / TIFFDirectory.Entry.size
        let count = min(Int(claimed), available)
        guard count > 0 else { return nil }
        let entries = (0..<count).compactMap { entry(at: start + 2 + $0 * TIFFDirectory.Entry.size) }
        let link = start + 2 + count * TIFFDirectory.Entry.size
        let hasLink = count == Int(claimed) && contains(link, count: 4)
        return TIFFDirectory(offset: start, entries: entries, linkOffset: hasLink ? link : nil)
    }

    /// Reads the directory that `directory` links to; `nil` if there is none.
    func directory(after directory: TIFFDirectory) -> TIFFDirectory? {
        directory.linkOffset.flatMap { uint32(at: $0) }.flatMap { self.directory(at: $0) }
    }

    private func entry(at offset: Int) -> TIFFDirectory.Entry? {
        guard let tag = uint16(at: offset), let code = uint16(at: offset + 2), let count = uint32(at: offset + 4)
        else { return nil }
        let type = TIFFType(rawValue: code)
        return TIFFDirectory.Entry(
            tag: tag, type: type, count: count, offset: offset,
            valueRange: type.flatMap { valueRange(ofEntryAt: offset, type: $0, count: count) })
    }

    /// The range of a value: up to four bytes are in the entry itself, larger values where the entry points to.
    private func valueRange(ofEntryAt offset: Int, type: TIFFType, count: UInt32) -> Range<Int>? {
        // At most 2³² × 8.
        guard let size = Int(exactly: UInt64(count) * UInt64(type.size)) else { return nil }
        if size <= 4 { return (offset + 8)..<(offset + 8 + size) }
        guard let start = uint32(at: offset + 8).flatMap({ Int(exactly: $0) }), contains(start, count: size) else {
            return nil
        }
        return start..<(start + size)
    }

    // MARK: Values

    /// Returns the raw bytes of a value, in the block's byte order.
    func bytes(of entry: TIFFDirectory.Entry) -> ArraySlice<UInt8>? { entry.valueRange.map { bytes[$0] } }

    /// Returns the integer at `index` of a BYTE, SHORT, LONG or IFD value.
    func unsigned(_ entry: TIFFDirectory.Entry, at index: Int = 0) -> UInt32? {
        guard let range = entry.valueRange, let type = entry.type, index >= 0, index < range.count / type.size else {
            return nil
        }
        let offset = range.lowerBound + index * type.size
        switch type {
        case .byte: return UInt32(bytes[offset])
        case .short: return uint16(at: offset).map { UInt32($0) }
        case .long, .directory: return uint32(at: offset)
        default: return nil
        }
    }

    /// Returns the first fraction of a RATIONAL value.
    func rational(_ entry: TIFFDirectory.Entry) -> Rational? {
        guard entry.type == .rational, let range = entry.valueRange, range.count >= 8,
            let numerator = uint32(at: range.lowerBound), let denominator = uint32(at: range.lowerBound + 4)
        else { return nil }
        return Rational(numerator, denominator)
    }

    // MARK: Writing

    mutating func write(_ value: UInt16, at offset: Int) { write(byteOrder.bytes(value), at: offset) }

    mutating func write(_ value: UInt32, at offset: Int) { write(byteOrder.bytes(value), at: offset) }

    /// Overwrites bytes in place; does nothing if they would extend beyond the block.
    mutating func write(_ newBytes: [UInt8], at offset: Int) {
        guard contains(offset, count: newBytes.count) else { return }
        bytes.replaceSubrange(offset..<(offset + newBytes.count), with: newBytes)
    }

    /// Replaces the value of an entry by one integer: a SHORT if `prefersShort` and the value fits, else a LONG.
    mutating func write(_ value: UInt32, to entry: TIFFDirectory.Entry, prefersShort: Bool) {
        let short = prefersShort ? UInt16(exactly: value) : nil
        write((short == nil ? TIFFType.long : .short).rawValue, at: entry.offset + 2)
        write(UInt32(1), at: entry.offset + 4)
        if let short {
            write(byteOrder.bytes(short) + [0, 0], at: entry.offset + 8)
        } else {
            write(value, at: entry.offset + 8)
        }
    }

    mutating func append(_ newBytes: [UInt8]) { bytes += newBytes }

    /// Overwrites a range with zeros.
    mutating func erase(_ range: Range<Int>) {
        for index in range.clamped(to: bytes.indices) { bytes[index] = 0 }
    }

    /// Removes everything from offset `count` on.
    mutating func truncate(to count: Int) { bytes.removeLast(max(bytes.count - max(count, 0), 0)) }
}
