import TexelCore

/// Finds boxes and reads their fields, and counts them.
///
/// A file of some kilobytes can declare millions of entries, because many fields may have no bytes; so everything that
/// takes memory is counted against `Limits.chunks`.
final class ISOParser {
    let bytes: InputBytes
    let format: ImageFormat
    let limits: Limits
    let stop: StopToken?
    private var entryCount = 0

    init(_ bytes: InputBytes, _ format: ImageFormat, _ limits: Limits, _ stop: StopToken?) {
        (self.bytes, self.format, self.limits, self.stop) = (bytes, format, limits, stop)
    }

    func corrupt(_ message: String) -> TexelError { .damaged(format, .corrupt(message)) }

    /// Counts boxes, items, extents and other entries.
    ///
    /// - Throws: `limitExceeded`.
    func count(_ entries: Int = 1) throws(TexelError) {
        let (sum, isTooLarge) = entryCount.addingReportingOverflow(entries)
        guard !isTooLarge, sum <= limits.chunks else {
            throw .limitExceeded(.chunks, value: isTooLarge ? .max : sum, allowed: limits.chunks)
        }
        entryCount = sum
    }

    func reader(_ range: Range<Int>) -> ISOReader { ISOReader(bytes, range, format) }

    /// Reads the header of the box at `start`, waiting for its bytes.
    ///
    /// - Parameter end: the end of the enclosing box; `nil` at the top level of the file.
    /// - Returns: `nil` at the end of the file.
    func box(at start: Int, in end: Int?) throws(TexelError) -> ISOBox? {
        try count()
        // No file is that long; a box before may have declared so.
        guard start <= .max - 16 else { return nil }
        guard end.map({ $0 - start >= 8 }) ?? true else { throw corrupt("a box is too short for its header") }
        guard try bytes.has(start + 8, stop) else {
            guard try bytes.wait(for: start + 1, stop) <= start else { throw .truncated(rowsRead: 0, rows: 0) }
            return nil
        }
        var reader = reader(start..<(start + 8))
        var size = try reader.unsigned(4)
        let type = try reader.type()
        var headerSize = 8
        if size == 1 {
            headerSize = 16
            guard end.map({ $0 - start >= 16 }) ?? true else { throw corrupt("the box \(type) is too short") }
            guard try bytes.has(start + 16, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
            reader = self.reader((start + 8)..<(start + 16))
            size = try reader.unsigned(8)
        }
        let extendsToEnd = size == 0 && end == nil
        if extendsToEnd { size = try bytes.wait(for: .max, stop) - start }
        guard size >= headerSize else { throw corrupt("the box \(type) has an invalid size") }
        guard size <= (end ?? .max) - start else { throw corrupt("the box \(type) is larger than its container") }
        return ISOBox(
            type: type, range: start..<(start + size), payload: (start + headerSize)..<(start + size),
            extendsToEnd: extendsToEnd)
    }

    /// Reads the header of a box at the top level; returns `nil` at the end of the file, and if the header is cut off
    /// or invalid.
    func validBox(at start: Int) throws(TexelError) -> ISOBox? {
        do { return try box(at: start, in: nil) } catch {
            guard error.kind == .damaged || error.kind == .truncated else { throw error }
            return nil
        }
    }

    /// Waits until a whole box has arrived.
    ///
    /// - Throws: `truncated`.
    func load(_ box: ISOBox) throws(TexelError) {
        guard try bytes.has(box.range.upperBound, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
    }

    /// Returns the boxes in a range that has arrived.
    func boxes(in range: Range<Int>) throws(TexelError) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var position = range.lowerBound
        while position < range.upperBound {
            guard let box = try box(at: position, in: range.upperBound) else { break }
            boxes.append(box)
            position = box.range.upperBound
        }
        return boxes
    }

    /// Returns the bytes of ranges of the file, in order; waits for them.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: `nil` if the file ends before.
    /// - Throws: `limitExceeded` (metadata), `stopped`.
    func data(_ ranges: [Range<Int>], limit: Int) throws(TexelError) -> [UInt8]? {
        var total = 0
        for range in ranges {
            let (sum, isTooLarge) = total.addingReportingOverflow(range.count)
            guard !isTooLarge, sum <= limit else {
                throw .limitExceeded(.metadataBytes, value: isTooLarge ? .max : sum, allowed: limit)
            }
            total = sum
        }
        var data: [UInt8] = []
        for range in ranges {
            guard try bytes.has(range.upperBound, stop) else { return nil }
            data += bytes[range]
        }
        return data
    }
}
