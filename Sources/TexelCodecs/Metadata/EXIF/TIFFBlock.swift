/// The bytes of a TIFF block, read and written only through checked offsets.
///
/// Every number in the block is somebody else's claim: reading gives `nil` where a claim leaves the block.
package struct TIFFBlock: Sendable, Hashable {
    package private(set) var bytes: [UInt8]
    package let byteOrder: ByteOrder

    static let headerSize = 8

    /// `nil` unless the bytes begin with a TIFF header. A leading "Exif", NUL, padding byte, as JPEG has it before the
    /// header, is taken off: some writers leave it where it does not belong.
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

    package func uint16(at offset: Int) -> UInt16? {
        guard contains(offset, count: 2) else { return nil }
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        return byteOrder == .bigEndian ? first << 8 | second : second << 8 | first
    }

    package func uint32(at offset: Int) -> UInt32? {
        guard contains(offset, count: 4), let first = uint16(at: offset), let second = uint16(at: offset + 2) else {
            return nil
        }
        let (high, low) = byteOrder == .bigEndian ? (first, second) : (second, first)
        return UInt32(high) << 16 | UInt32(low)
    }

    private func contains(_ offset: Int, count: Int) -> Bool {
        offset >= 0 && count >= 0 && count <= bytes.count && offset <= bytes.count - count
    }

    // MARK: Directories

    /// The directory that the header points to.
    var firstDirectoryOffset: UInt32? { uint32(at: 4) }

    /// The directory at `offset`, with as many entries as the block really holds; `nil` where there is none.
    func directory(at offset: UInt32) -> TIFFDirectory? {
        guard let start = Int(exactly: offset), start >= Self.headerSize, let claimed = uint16(at: start) else {
            return nil
        }
        // `uint16` has proved that two bytes lie at `start`.
        let available = (bytes.count - start - 2) / TIFFDirectory.Entry.size
        let count = min(Int(claimed), available)
        guard count > 0 else { return nil }
        let entries = (0..<count).compactMap { entry(at: start + 2 + $0 * TIFFDirectory.Entry.size) }
        let link = start + 2 + count * TIFFDirectory.Entry.size
        let hasLink = count == Int(claimed) && contains(link, count: 4)
        return TIFFDirectory(offset: start, entries: entries, linkOffset: hasLink ? link : nil)
    }

    /// The directory that follows `directory`, if its link says so.
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

    /// A value of up to four bytes lies in the entry itself, a larger one where the entry points to.
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

    /// The raw bytes of a value, in the block's byte order.
    func bytes(of entry: TIFFDirectory.Entry) -> ArraySlice<UInt8>? { entry.valueRange.map { bytes[$0] } }

    /// The whole number at `index` of a BYTE, SHORT or LONG value.
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

    /// The first fraction of a RATIONAL value.
    func rational(_ entry: TIFFDirectory.Entry) -> Rational? {
        guard entry.type == .rational, let range = entry.valueRange, range.count >= 8,
            let numerator = uint32(at: range.lowerBound), let denominator = uint32(at: range.lowerBound + 4)
        else { return nil }
        return Rational(numerator, denominator)
    }

    // MARK: Writing

    mutating func write(_ value: UInt16, at offset: Int) { write(byteOrder.bytes(value), at: offset) }

    mutating func write(_ value: UInt32, at offset: Int) { write(byteOrder.bytes(value), at: offset) }

    /// Overwrites bytes in place; writes nothing where they would leave the block.
    mutating func write(_ newBytes: [UInt8], at offset: Int) {
        guard contains(offset, count: newBytes.count) else { return }
        bytes.replaceSubrange(offset..<(offset + newBytes.count), with: newBytes)
    }

    /// Makes an entry hold one whole number: a SHORT if `prefersShort` and the value fits, else a LONG.
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

    /// Drops everything from `count` on.
    mutating func truncate(to count: Int) { bytes.removeLast(max(bytes.count - max(count, 0), 0)) }
}
