import TexelCodecs
import TexelCore

/// The inflated rows of a PNG, each with the byte of its filter in front.
protocol FilteredRows: AnyObject {
    /// Returns the next `count` bytes, valid until the next call; some more bytes are readable. `nil` if the data is
    /// damaged or ends before. For several rows also `nil` if they are not together in memory; then ask for one.
    func peek(_ count: Int) -> UnsafePointer<UInt8>?

    /// Consumes bytes that were returned by `peek`.
    func take(_ count: Int)

    /// Returns whether the stream and its chunks end after all rows, with the right checksum.
    func isAtEnd() -> Bool

    /// The error that ended the input, if it failed.
    var interruption: TexelError? { get }
}

/// Inflates rows when they are needed.
final class FilteredRowBuffer: FilteredRows {
    private let inflater: Inflater
    /// Bytes that have been inflated and not taken are at `begin..<end`.
    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var (begin, end) = (0, 0)

    /// The minimum room for output per call of the inflater in bytes.
    private static let outputSize = 160 * 1024
    /// Kernels may access some bytes after a row.
    static let margin = 64

    /// - Parameter piece: the maximum number of bytes per call of `peek`.
    init(_ inflater: Inflater, piece: Int) {
        self.inflater = inflater
        capacity = piece + Self.outputSize
        output = .allocate(capacity: capacity + Self.margin)
    }

    deinit { output.deallocate() }

    /// Returns rows that are inflated ahead if there are enough threads and bytes, otherwise when they are needed.
    ///
    /// - Parameter bytesPerRow: with the byte of the filter.
    static func rows(
        _ inflater: Inflater, rowCount: Int, bytesPerRow: Int, parallelism: Int
    ) -> any FilteredRows {
        // A thread that waits for bytes could not be ended at once.
        let ring =
            parallelism > 1 && inflater.hasWholeFile
            ? FilteredRowRing(inflater, rowCount: rowCount, bytesPerRow: bytesPerRow) : nil
        return ring ?? FilteredRowBuffer(inflater, piece: 2 * bytesPerRow)
    }

    var interruption: TexelError? { inflater.interruption }

    func peek(_ count: Int) -> UnsafePointer<UInt8>? {
        if end - begin < count {
            output.update(from: output + begin, count: end - begin)
            (begin, end) = (0, end - begin)
        }
        while end - begin < count {
            guard let added = inflater.inflate(into: output + end, room: capacity - end) else { return nil }
            end += added
        }
        return UnsafePointer(output + begin)
    }

    func take(_ count: Int) { begin += count }

    func isAtEnd() -> Bool { begin == end && inflater.isAtEnd() }
}
