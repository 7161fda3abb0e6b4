import TexelCore

/// Replacements of byte ranges of a file, and where the other bytes are afterwards.
struct ISOEdits {
    /// Sorted, without overlaps, after `sort()`.
    private(set) var list: [(range: Range<Int>, bytes: [UInt8])] = []
    /// The ends of the ranges, and how far bytes after them move.
    private var moves: [(end: Int, distance: Int)] = []

    mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { list.append((range, bytes)) }

    /// Sorts the replacements.
    ///
    /// - Returns: false if two overlap.
    mutating func sort() -> Bool {
        list.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        moves = []
        var (end, distance) = (0, 0)
        for edit in list {
            guard edit.range.lowerBound >= end else { return false }
            end = edit.range.upperBound
            distance += edit.bytes.count - edit.range.count
            moves.append((end, distance))
        }
        return true
    }

    /// Returns where the byte at `position`, which is not replaced, is in the new file. Positions may be anywhere after
    /// the end of the file.
    func moved(_ position: Int) -> Int {
        // The last replacement that ends at or before the byte.
        var (low, high) = (0, moves.count)
        while low < high {
            let middle = (low + high) / 2
            if moves[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return position }
        let (sum, isTooLarge) = position.addingReportingOverflow(moves[low - 1].distance)
        return isTooLarge ? .max : sum
    }

    /// Returns whether a byte of the range is replaced.
    func touches(_ range: Range<Int>) -> Bool {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < list.count && list[low].range.lowerBound < range.upperBound
    }

    /// Returns the first `count` bytes of the file with the replacements.
    func applied(to bytes: InputBytes, count: Int) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(count + max(0, moves.last?.distance ?? 0))
        var position = 0
        for edit in list where edit.range.upperBound <= count {
            file += bytes[position..<edit.range.lowerBound]
            file += edit.bytes
            position = edit.range.upperBound
        }
        file += bytes[position..<count]
        return file
    }
}

// MARK: Parts of boxes

extension ISOEdits {
    /// Corrects the size of a box whose content grows.
    mutating func resize(_ box: ISOBox, by growth: Int) {
        guard growth != 0, !box.extendsToEnd else { return }
        let isLong = box.payload.lowerBound - box.range.lowerBound >= 16
        let start = box.range.lowerBound + (isLong ? 8 : 0)
        let size = isLong ? 8 : 4
        replace(start..<(start + size), with: ISOBytes.number(box.range.count + growth, size))
    }

    /// Corrects the positions in a box `stco` or `co64`.
    ///
    /// - Throws: `damaged`; `unsupported` if a position does not fit.
    mutating func correctOffsets(_ box: ISOBox, _ parser: ISOParser, _ moved: (Int) -> Int) throws(TexelError) {
        let size = box.type == "stco" ? 4 : 8
        var reader = parser.reader(box.payload)
        _ = try reader.versionAndFlags()
        let count = try reader.unsigned(4)
        let start = reader.position
        guard count <= reader.count / size else { throw parser.corrupt("a box is too short for its fields") }
        var content: [UInt8] = []
        for _ in 0..<count {
            let position = moved(try reader.unsigned(size))
            guard size == 8 || position <= Int(UInt32.max) else {
                throw .unsupported("changing a file of more than 4 GB")
            }
            content += ISOBytes.number(position, size)
        }
        replace(start..<reader.position, with: content)
    }
}
