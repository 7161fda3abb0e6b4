import CDeflateBlocks
import TexelCodecs
import TexelCore
import TexelPixels

/// The zlib stream of an image's filtered rows. Bands of rows are compressed separately, so that several threads can
/// share the work. The division into bands depends only on the image, so the result does too.
struct PixelStream: Sendable {
    let rows: PNGRows
    var strategy: FilterStrategy
    /// The approximate number of filtered bytes in a band. A band cannot refer to earlier ones, so smaller bands take
    /// more bytes (0.06 % more for bands of a megabyte, in a photograph).
    let bandSize: Int
    let stop: StopToken?

    var bytesPerFilteredRow: Int { rows.bytesPerRow + 1 }
    /// All bands of an image have about the same size, so that threads finish together.
    private var rowsPerBand: Int {
        let mostRows = max(1, bandSize / bytesPerFilteredRow)
        let count = (rows.count + mostRows - 1) / mostRows
        return (rows.count + count - 1) / count
    }

    /// Returns the stream of the same image from another place.
    func with(_ pixels: PNGPixels, _ format: PNGPixelFormat) -> PixelStream {
        PixelStream(rows: PNGRows(pixels, format), strategy: strategy, bandSize: bandSize, stop: stop)
    }

    var filteredByteCount: Int { rows.count * bytesPerFilteredRow }
    var bandCount: Int { (rows.count + rowsPerBand - 1) / rowsPerBand }

    /// Returns the number of bands that the first `rowCount` rows complete.
    func bandCount(inFirst rowCount: Int) -> Int { rowCount == rows.count ? bandCount : rowCount / rowsPerBand }

    /// Returns the number of the first row of a band.
    func firstRow(ofBand index: Int) -> Int { min(index * rowsPerBand, rows.count) }

    /// A compressed band of the stream.
    struct Band: Sendable {
        var bytes: [UInt8]
        /// The Adler-32 checksum of the uncompressed bytes.
        var checksum: UInt32
        /// The number of uncompressed bytes.
        var count: Int
        /// The filter of each row.
        var filters: [UInt8]
    }

    /// Returns the whole stream in parts, one per band.
    static func joined(_ bands: [Band], effort: Effort) -> [[UInt8]] {
        var checksum = Adler32()
        for band in bands { checksum.append(band.checksum, count: band.count) }
        var parts = bands.map(\.bytes)
        parts[0] = Zlib.header(effort) + parts[0]
        parts[parts.count - 1] += checksum.bytes
        return parts
    }

    // MARK: Filtering

    /// Returns the filtered rows of a band.
    func filteredBand(_ index: Int) throws(TexelError) -> [UInt8] {
        try filtered([firstRow(ofBand: index)..<firstRow(ofBand: index + 1)])
    }

    /// Returns the filtered rows of `count` strips spread over the first `rowCount` rows; all of these if there are no
    /// more.
    func filteredStrips(_ count: Int, rowsPerStrip: Int, of rowCount: Int) throws(TexelError) -> [UInt8] {
        guard rowsPerStrip * count < rowCount else { return try filtered([0..<rowCount]) }
        return try filtered(
            (0..<count).map { index in
                let first = index * (rowCount - rowsPerStrip) / (count - 1)
                return first..<(first + rowsPerStrip)
            })
    }

    private func filtered(_ ranges: [Range<Int>]) throws(TexelError) -> [UInt8] {
        // Filtering a band takes a few milliseconds; compressing it takes tens.
        try stop?.check()
        let stride = bytesPerFilteredRow
        var filtered = [UInt8](repeating: 0, count: ranges.reduce(0) { $0 + $1.count } * stride)
        var position = 0
        for range in ranges {
            var filter = try RowFilter(rows, strategy, from: range.lowerBound)
            filtered.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                for row in 0..<range.count { filter.next(into: base + position + row * stride) }
            }
            position += range.count * stride
        }
        return filtered
    }

    // MARK: Compressing

    /// Compresses the filtered rows of a band.
    ///
    /// - Parameters:
    ///   - pieces: the number of pieces among which new deflate blocks are formed; 0 keeps libdeflate's blocks.
    ///     1,000 pieces take about as long as compressing half a megabyte at level 12.
    ///   - passes: the number of passes in which literals and matches are replaced by cheaper ones; 0 keeps them.
    ///   - usesThread: whether a second thread may take a part of these passes' work.
    func compress(
        _ filtered: [UInt8], band: Int, _ deflate: borrowing Deflate, pieces: Int = 0, passes: Int = 0,
        usesThread: Bool = false
    ) throws(TexelError) -> Band {
        let isLast = band == bandCount - 1
        let bound = deflate.bound(filtered.count)
        let result = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bound + Int(texel_deflate_padding), alignment: 64)
        defer { result.deallocate() }
        let count = filtered.withUnsafeBytes { bytes in
            deflate.compress(bytes, into: UnsafeMutableRawBufferPointer(rebasing: result[..<bound]))
        }
        var bytes =
            pieces > 0
            ? Self.reblocked(
                result, count: count, isLast: isLast, pieces: pieces, passes: passes, usesThread: usesThread) : []
        if !bytes.isEmpty {
            // The stream was rewritten in new blocks.
        } else if isLast {
            bytes = Array(result[..<count])
        } else {
            guard let end = Self.continued(result, count: count) else {
                throw .cannotEncode("internal error: the stream written by libdeflate is invalid")
            }
            bytes = Array(result[..<count]) + end
        }
        return Band(
            bytes: bytes, checksum: filtered.withUnsafeBytes(Adler32.checksum), count: filtered.count,
            filters: stride(from: 0, to: filtered.count, by: bytesPerFilteredRow).map { filtered[$0] })
    }

    /// Rewrites a stream in better deflate blocks, and prepares it to be continued unless it is the last. Returns an
    /// empty array if that saves nothing.
    private static func reblocked(
        _ stream: UnsafeMutableRawBufferPointer, count: Int, isLast: Bool, pieces: Int, passes: Int, usesThread: Bool
    ) -> [UInt8] {
        guard let base = stream.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { result, written in
            guard let address = result.baseAddress else { return written = 0 }
            written = texel_deflate_reblock(
                base, count, isLast, Int32(pieces), Int32(passes), usesThread, address, count)
        }
    }

    /// Prepares a complete deflate stream to be continued: clears the final-block bit of its last block. Returns the
    /// bytes to append: an empty stored block that fills up the last byte (RFC 1951, 3.2.3 and 3.2.4).
    private static func continued(_ stream: UnsafeMutableRawBufferPointer, count: Int) -> [UInt8]? {
        var block = texel_deflate_block()
        guard let base = stream.baseAddress?.assumingMemoryBound(to: UInt8.self),
            texel_deflate_find_last_block(base, count, &block), (block.end + 7) / 8 == count
        else { return nil }
        base[block.begin / 8] &= ~(1 << UInt8(block.begin % 8))
        // The header of a stored block is three zero bits; the padding bits of the last byte are already zero.
        let freeBits = count * 8 - block.end
        return (freeBits >= 3 ? [] : [0]) + [0, 0, 0xFF, 0xFF]
    }
}
