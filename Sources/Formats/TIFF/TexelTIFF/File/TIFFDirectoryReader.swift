import TexelCodecs
import TexelCore

/// An entry of a directory: a tagged value.
struct TIFFEntry: Sendable {
    let tag: UInt16
    /// The type's number; unknown types are possible.
    let type: UInt16
    /// The number of elements.
    let count: Int
    /// The range of the value, which may be outside the file; `nil` if the type is unknown or the range overflows.
    let range: Range<Int>?

    /// The size of an element of a type, or `nil` for an unknown type. BigTIFF has LONG8, SLONG8 and IFD8.
    static func elementSize(_ type: UInt16) -> Int? {
        switch type {
        case 16, 17, 18: 8
        default: TIFFType(rawValue: type)?.size
        }
    }
}

/// A directory of a file: the fields of one image, or of EXIF.
struct TIFFFileDirectory: Sendable {
    let offset: Int
    let entries: [TIFFEntry]
    /// The offset of the next directory; `nil` if there is none, or if the file ends before the offset.
    let next: Int?
    /// Whether the offset of the next directory is in the file.
    let hasLink: Bool

    /// The first entry with a tag.
    subscript(tag: UInt16) -> TIFFEntry? { entries.first { $0.tag == tag } }
}

extension TIFFInput {
    /// Reads a directory; waits for its bytes, not for those of its values.
    ///
    /// - Returns: `nil` if it is not inside the file.
    /// - Throws: `limitExceeded` for too many entries, `stopped`.
    func directory(at offset: Int, _ stop: StopToken?) throws(TexelError) -> TIFFFileDirectory? {
        let countSize = isBig ? 8 : 2
        guard offset >= 8, let claimed = try number(at: offset, size: countSize, stop) else { return nil }
        guard claimed <= UInt64(limits.chunks) else {
            throw .limitExceeded(.chunks, value: Int(clamping: claimed), allowed: limits.chunks)
        }
        let start = offset + countSize
        // `chunks` limits the product.
        let (size, overflow) = Int(claimed).multipliedReportingOverflow(by: entrySize)
        let (end, overflowOfEnd) = start.addingReportingOverflow(size)
        guard claimed > 0, !overflow, !overflowOfEnd, try bytes.has(end, stop) else { return nil }
        var entries: [TIFFEntry] = []
        entries.reserveCapacity(Int(claimed))
        for index in 0..<Int(claimed) { entries.append(entry(at: start + index * entrySize)) }
        let link = try number(at: end, size: offsetSize, stop)
        let next = link.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        return TIFFFileDirectory(offset: offset, entries: entries, next: next, hasLink: link != nil)
    }

    /// Reads an entry that is known to be there.
    private func entry(at offset: Int) -> TIFFEntry {
        func number(_ position: Int, _ size: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: order.number(size, at: offset + position, in: bytes))
        }
        let type = UInt16(truncatingIfNeeded: number(2, 2))
        let count = Int(clamping: number(4, offsetSize))
        let inside = offset + 4 + offsetSize
        var range: Range<Int>?
        if let element = TIFFEntry.elementSize(type) {
            let (size, overflow) = count.multipliedReportingOverflow(by: element)
            if !overflow, size <= offsetSize {
                range = inside..<(inside + size)
            } else if !overflow, let start = Int(exactly: number(4 + offsetSize, offsetSize)) {
                let (end, isTooFar) = start.addingReportingOverflow(size)
                range = isTooFar ? nil : start..<end
            }
        }
        return TIFFEntry(tag: UInt16(truncatingIfNeeded: number(0, 2)), type: type, count: count, range: range)
    }

    // MARK: Values

    /// Returns the bytes of a value; `nil` if they are not inside the file.
    ///
    /// - Throws: `limitExceeded` for more than ``Limits/metadataBytes``, `stopped`.
    func bytes(of entry: TIFFEntry, _ stop: StopToken?) throws(TexelError) -> [UInt8]? {
        guard let range = entry.range else { return nil }
        guard try bytes.has(range.upperBound, stop) else { return nil }
        guard range.count <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: range.count, allowed: limits.metadataBytes)
        }
        return Array(bytes[range])
    }

    /// Returns the integer at `index` of a value; `nil` for another type, or if it is not inside the file.
    ///
    /// - Throws: `stopped`.
    func unsigned(_ entry: TIFFEntry?, at index: Int = 0, _ stop: StopToken?) throws(TexelError) -> UInt64? {
        guard let entry, let range = entry.range, let size = TIFFEntry.elementSize(entry.type),
            [1, 3, 4, 13, 16, 18].contains(entry.type), index >= 0, index < entry.count
        else { return nil }
        // The range has `count` elements.
        return try number(at: range.lowerBound + index * size, size: size, stop)
    }

    /// Returns the first integer of a field; `nil` if the field is absent or has another type.
    ///
    /// - Throws: `stopped`.
    func integer(_ tag: UInt16, in directory: TIFFFileDirectory, _ stop: StopToken?) throws(TexelError) -> Int? {
        try unsigned(directory[tag], stop).map { Int(clamping: $0) }
    }

    /// Returns up to `limit` integers of a field.
    ///
    /// - Throws: `stopped`.
    func integers(
        _ tag: UInt16, in directory: TIFFFileDirectory, limit: Int, _ stop: StopToken?
    ) throws(TexelError) -> [Int] {
        guard let entry = directory[tag] else { return [] }
        var result: [Int] = []
        for index in 0..<min(limit, entry.count) {
            guard let value = try unsigned(entry, at: index, stop) else { break }
            result.append(Int(clamping: value))
        }
        return result
    }

    /// Returns up to `limit` fractions of a RATIONAL field; fractions without a value are 0.
    ///
    /// - Throws: `stopped`.
    func rationals(
        _ tag: UInt16, in directory: TIFFFileDirectory, limit: Int, _ stop: StopToken?
    ) throws(TexelError) -> [Rational] {
        guard let entry = directory[tag], entry.type == TIFFType.rational.rawValue, let range = entry.range else {
            return []
        }
        var result: [Rational] = []
        for index in 0..<min(limit, entry.count) {
            let offset = range.lowerBound + index * 8
            guard let numerator = try number(at: offset, size: 4, stop),
                let denominator = try number(at: offset + 4, size: 4, stop)
            else { break }
            result.append(
                Rational(UInt32(truncatingIfNeeded: numerator), UInt32(truncatingIfNeeded: denominator)))
        }
        return result
    }
}
