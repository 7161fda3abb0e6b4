import TexelPixels

/// The rows of a plane that are made and still needed; all of them, or few at a time.
final class PlaneWindow {
    /// The size of the whole plane.
    let size: PixelSize
    /// The rows that are in memory.
    private(set) var rows = 0..<0
    /// The memory, which begins with the first of ``rows``.
    private(set) var plane: Plane

    /// - Parameter capacity: the number of rows that there is memory for at first.
    init(_ size: PixelSize, capacity: Int) throws(PixelBufferError) {
        self.size = size
        plane = try Plane(PixelSize(width: size.width, height: min(max(capacity, 1), size.height)))
    }

    /// Calls `body` with memory for the next row, which is as wide as the plane.
    ///
    /// - Returns: whether `body` has written the row.
    func appendRow(_ body: (UnsafeMutablePointer<UInt8>) -> Bool) throws(PixelBufferError) -> Bool {
        if rows.count == plane.height {
            if rows.upperBound == size.height { return false }
            try grow()
        }
        let isWritten = plane.withUnsafeSamples { body($0 + rows.count * plane.bytesPerRow) }
        if isWritten { rows = rows.lowerBound..<(rows.upperBound + 1) }
        return isWritten
    }

    private func grow() throws(PixelBufferError) {
        let height = min(2 * plane.height, size.height - rows.lowerBound)
        let larger = try Plane(PixelSize(width: size.width, height: height))
        plane.withUnsafeSamples { old in
            larger.withUnsafeSamples { $0.update(from: old, count: rows.count * plane.bytesPerRow) }
        }
        plane = larger
    }

    /// Forgets the rows before a row, which is in memory or follows the last.
    func release(before row: Int) {
        precondition(row >= rows.lowerBound && row <= rows.upperBound, "row \(row) is not in the window")
        let offset = (row - rows.lowerBound) * plane.bytesPerRow
        let count = (rows.upperBound - row) * plane.bytesPerRow
        // Both parts are inside the rows that are in memory.
        plane.withUnsafeSamples { $0.update(from: $0 + offset, count: count) }
        rows = row..<rows.upperBound
    }
}
