package import TexelCore

/// One channel of an image, eight bits per sample: luma or one of the chroma channels.
///
/// Unlike a ``PixelBuffer`` it is a reference type for one user at a time: a codec fills it, a filter reads it, a codec
/// encodes it.
package final class Plane {
    package let size: PixelSize

    /// The distance from one row to the next in bytes: a multiple of 64, so that a codec's whole blocks fit. The bytes
    /// after the last sample of each row may be overwritten.
    package let bytesPerRow: Int

    private let storage: PixelStorage

    package var width: Int { size.width }
    package var height: Int { size.height }

    /// Allocates a plane whose samples are undefined until they are written.
    ///
    /// - Throws: `invalidSize`, `outOfMemory`.
    package init(_ size: PixelSize) throws(TexelError) {
        guard size.isPositive, size.width <= Int.max - 63 else { throw .invalidSize(size) }
        let bytesPerRow = (size.width + 63) / 64 * 64
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: size.height)
        guard !overflow else { throw .invalidSize(size) }
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.storage = try PixelStorage(byteCount: byteCount, zeroed: false)
    }

    /// Calls `body` with the samples, `bytesPerRow * height` bytes. The pointer must not escape.
    package func withUnsafeSamples<Value, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(storage.base.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns whether every sample of some rows and of the first `columns` columns equals `sample`; all of them by
    /// default.
    package func consists(of sample: UInt8, columns: Int? = nil, in rows: Range<Int>? = nil) -> Bool {
        let (columns, rows) = (min(columns ?? width, width), (rows ?? 0..<height).clamped(to: 0..<height))
        return withUnsafeSamples { samples in
            rows.allSatisfy { y in
                UnsafeBufferPointer(start: samples + y * bytesPerRow, count: columns).allSatisfy { $0 == sample }
            }
        }
    }

    /// Mirrors the first `columns` columns of the first `rows` rows, left to right.
    package func mirrorRows(columns: Int, rows: Int) {
        let (columns, rows) = (min(columns, width), min(rows, height))
        withUnsafeSamples { samples in
            for y in 0..<rows { Self.reverse(samples + y * bytesPerRow, count: columns) }
        }
    }

    /// Reverses a row, eight samples from both ends at a time while the two groups do not overlap.
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
