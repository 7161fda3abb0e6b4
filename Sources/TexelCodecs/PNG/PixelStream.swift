import CDeflateBlocks
import TexelPixels

/// The zlib stream of a picture's filtered rows, made of bands of rows that are compressed on their own, so that several
/// threads can share the work. Where bands begin depends on the picture alone, and so do the bytes.
struct PixelStream: Sendable {
    let rows: PNGRows
    let strategy: FilterStrategy
    /// Filtered bytes of a band, about. A band knows nothing of those before it: the smaller it is, the more is written
    /// (0.06 % for a megabyte of a photograph).
    let bandSize: Int
    let stopCheck: StopCheck?

    var bytesPerFilteredRow: Int { rows.bytesPerRow + 1 }
    /// Bands of one picture are about equally long, so that threads end together.
    private var rowsPerBand: Int {
        let mostRows = max(1, bandSize / bytesPerFilteredRow)
        let count = (rows.count + mostRows - 1) / mostRows
        return (rows.count + count - 1) / count
    }
    var filteredByteCount: Int { rows.count * bytesPerFilteredRow }
    var bandCount: Int { (rows.count + rowsPerBand - 1) / rowsPerBand }

    /// A part of the stream.
    struct Band: Sendable {
        var bytes: [UInt8]
        /// Adler-32 and number of the bytes that were compressed.
        var checksum: UInt32
        var count: Int
    }

    /// The whole stream in parts, one for each band.
    static func joined(_ bands: [Band], effort: Effort) -> [[UInt8]] {
        var checksum = Adler32()
        for band in bands { checksum.append(band.checksum, count: band.count) }
        var parts = bands.map(\.bytes)
        parts[0] = Zlib.header(effort) + parts[0]
        parts[parts.count - 1] += checksum.bytes
        return parts
    }

    // MARK: Filtering

    /// The filtered rows of a band.
    func filteredBand(_ index: Int) throws(CodecError) -> [UInt8] {
        let first = index * rowsPerBand
        return try filtered([first..<min(first + rowsPerBand, rows.count)])
    }

    /// The filtered rows of `count` strips all over the picture; of all of it where it has not more rows.
    func filteredStrips(_ count: Int, rowsPerStrip: Int) throws(CodecError) -> [UInt8] {
        guard rowsPerStrip * count < rows.count else { return try filtered([0..<rows.count]) }
        return try filtered(
            (0..<count).map { index in
                let first = index * (rows.count - rowsPerStrip) / (count - 1)
                return first..<(first + rowsPerStrip)
            })
    }

    private func filtered(_ ranges: [Range<Int>]) throws(CodecError) -> [UInt8] {
        // Filtering a band takes a few milliseconds, a strip less; compressing it, tens of them.
        try stopCheck?.check()
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
    /// - Parameter pieces: among how many pieces libdeflate's blocks are sought anew; 0 leaves them. A thousand take
    ///   about as long as compressing half a megabyte at level 12.
    func compress(
        _ filtered: [UInt8], band: Int, _ deflate: borrowing Deflate, pieces: Int = 0
    ) throws(CodecError) -> Band {
        let isLast = band == bandCount - 1
        let bound = deflate.bound(filtered.count)
        let result = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bound + Int(texel_deflate_padding), alignment: 64)
        defer { result.deallocate() }
        let count = filtered.withUnsafeBytes { bytes in
            deflate.compress(bytes, into: UnsafeMutableRawBufferPointer(rebasing: result[..<bound]))
        }
        var bytes = pieces > 0 ? Self.reblocked(result, count: count, isLast: isLast, pieces: pieces) : []
        if !bytes.isEmpty {
            // Written anew.
        } else if isLast {
            bytes = Array(result[..<count])
        } else {
            guard let end = Self.continued(result, count: count) else {
                throw .cannotEncode("libdeflate wrote a stream that cannot be read")
            }
            bytes = Array(result[..<count]) + end
        }
        return Band(bytes: bytes, checksum: filtered.withUnsafeBytes(Adler32.checksum), count: filtered.count)
    }

    /// The same in fewer bytes, ready to be continued if it is not the last; nothing where that is not to be had.
    private static func reblocked(
        _ stream: UnsafeMutableRawBufferPointer, count: Int, isLast: Bool, pieces: Int
    ) -> [UInt8] {
        guard let base = stream.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { result, written in
            guard let address = result.baseAddress else { return written = 0 }
            written = texel_deflate_reblock(base, count, isLast, Int32(pieces), address, count)
        }
    }

    /// Makes a whole deflate stream one that others can follow: its last block is no longer the last, and one without
    /// bytes fills it up to a whole byte (RFC 1951, 3.2.3 and 3.2.4). Returns what is to be written behind it.
    private static func continued(_ stream: UnsafeMutableRawBufferPointer, count: Int) -> [UInt8]? {
        var block = texel_deflate_block()
        guard let base = stream.baseAddress?.assumingMemoryBound(to: UInt8.self),
            texel_deflate_find_last_block(base, count, &block), (block.end + 7) / 8 == count
        else { return nil }
        base[block.begin / 8] &= ~(1 << UInt8(block.begin % 8))
        // A stored block's header has three zero bits; those that fill the last byte are zero already.
        let freeBits = count * 8 - block.end
        return (freeBits >= 3 ? [] : [0]) + [0, 0, 0xFF, 0xFF]
    }
}
