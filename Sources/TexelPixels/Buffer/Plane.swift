/// One channel of a picture, eight bits a sample: its brightness, or one of its colour differences.
///
/// Unlike a ``PixelBuffer`` it is no value but a piece of memory with one user at a time: what a codec fills, a filter
/// reads and a codec takes.
package final class Plane {
    package let size: PixelSize

    /// The distance between the beginnings of two rows: a multiple of 64, so that a codec's whole blocks fit. The bytes
    /// behind the last sample of each row are free to use.
    package let bytesPerRow: Int

    private let storage: PixelStorage

    package var width: Int { size.width }
    package var height: Int { size.height }

    /// A plane whose samples are undefined until they are written.
    ///
    /// - Throws: `invalidSize`, `outOfMemory`.
    package init(_ size: PixelSize) throws(PixelBufferError) {
        guard size.isPositive, size.width <= Int.max - 63 else { throw .invalidSize(size) }
        let bytesPerRow = (size.width + 63) / 64 * 64
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: size.height)
        guard !overflow else { throw .invalidSize(size) }
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.storage = try PixelStorage(byteCount: byteCount, zeroed: false)
    }

    /// The samples, `bytesPerRow * height` bytes. The pointer must not escape.
    package func withUnsafeSamples<Value, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(storage.base.assumingMemoryBound(to: UInt8.self))
    }

    /// Whether every sample of the first `rows` rows and `columns` columns has this value; all of them by default.
    package func consists(of sample: UInt8, columns: Int? = nil, rows: Int? = nil) -> Bool {
        let (columns, rows) = (min(columns ?? width, width), min(rows ?? height, height))
        return withUnsafeSamples { samples in
            (0..<rows).allSatisfy { y in
                UnsafeBufferPointer(start: samples + y * bytesPerRow, count: columns).allSatisfy { $0 == sample }
            }
        }
    }

    /// Exchanges left and right in the first `rows` rows, of their first `columns` columns.
    package func mirrorRows(columns: Int, rows: Int) {
        let (columns, rows) = (min(columns, width), min(rows, height))
        withUnsafeSamples { samples in
            for y in 0..<rows { Self.reverse(samples + y * bytesPerRow, count: columns) }
        }
    }

    /// Eight samples at a time from both ends, as long as the two eights do not touch.
    private static func reverse(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        let bytes = UnsafeMutableRawPointer(row)
        var (left, right) = (0, count)
        while right - left >= 16 {
            let first = bytes.loadUnaligned(fromByteOffset: left, as: UInt64.self)
            let last = bytes.loadUnaligned(fromByteOffset: right - 8, as: UInt64.self)
            bytes.storeBytes(of: last.byteSwapped, toByteOffset: left, as: UInt64.self)
            bytes.storeBytes(of: first.byteSwapped, toByteOffset: right - 8, as: UInt64.self)
            left += 8
            right -= 8
        }
        var rest = UnsafeMutableBufferPointer(start: row + left, count: right - left)
        rest.reverse()
    }
}
