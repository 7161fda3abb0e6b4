import CDeflateBlocks
import Dispatch
import Synchronization
import TexelPixels

/// The zlib stream of a picture's filtered rows, made of bands of rows that are compressed on their own, so that several
/// threads can share the work. Where bands begin depends on the picture alone, and so do the bytes.
struct PixelStream: Sendable {
    let rows: PNGRows
    let filter: PNGOptions.Filter
    /// libdeflate's.
    let level: Int
    let effort: Effort
    let stopCheck: StopCheck?
    /// How many threads may work.
    let parallelism: Int

    /// Filtered bytes of a band, about. A band knows nothing of those before it: the smaller it is, the more is written
    /// (0.06 % for a megabyte of a photograph).
    private var bandSize: Int { effort == .best ? 2 << 20 : 1 << 20 }

    private var bytesPerFilteredRow: Int { rows.bytesPerRow + 1 }
    private var rowsPerBand: Int { max(1, bandSize / bytesPerFilteredRow) }
    private var bandCount: Int { (rows.count + rowsPerBand - 1) / rowsPerBand }

    /// The stream in parts, one for each band.
    func parts() throws(CodecError) -> [[UInt8]] {
        let bands = try compressedBands()
        var checksum = Adler32()
        for band in bands { checksum.append(band.checksum, count: band.count) }
        var parts = bands.map(\.bytes)
        parts[0] = Zlib.header(effort) + parts[0]
        parts[parts.count - 1] += checksum.bytes
        return parts
    }

    /// How many bytes some strips of the picture become together, for comparisons between filters.
    func sampledSize() throws(CodecError) -> Int {
        let (stripCount, stripBytes) = (8, 32 * 1024)
        let rowsPerStrip = max(1, stripBytes / bytesPerFilteredRow)
        let takesAll = rowsPerStrip * stripCount >= rows.count
        let strips =
            takesAll
            ? [0..<rows.count]
            : (0..<stripCount).map { index in
                let first = index * (rows.count - rowsPerStrip) / (stripCount - 1)
                return first..<(first + rowsPerStrip)
            }
        let filtered = UnsafeMutableRawBufferPointer.allocate(
            byteCount: strips.reduce(0) { $0 + $1.count } * bytesPerFilteredRow, alignment: 64)
        defer { filtered.deallocate() }
        var position = 0
        for strip in strips {
            filterRows(strip, into: filtered, at: position)
            position += strip.count * bytesPerFilteredRow
        }
        let deflate = try Deflate(level: level)
        let result = UnsafeMutableRawBufferPointer.allocate(byteCount: deflate.bound(filtered.count), alignment: 64)
        defer { result.deallocate() }
        return deflate.compress(UnsafeRawBufferPointer(filtered), into: result)
    }

    private func filterRows(_ range: Range<Int>, into filtered: UnsafeMutableRawBufferPointer, at position: Int) {
        guard let base = filtered.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var filter = RowFilter(rows, filter: filter, from: range.lowerBound)
        for row in 0..<range.count { filter.next(into: base + position + row * bytesPerFilteredRow) }
    }

    private struct Band: Sendable {
        var bytes: [UInt8]
        /// Adler-32 and number of the bytes that were compressed.
        var checksum: UInt32
        var count: Int
    }

    private struct State: Sendable {
        var next = 0
        var bands: [Band?]
        var failure: CodecError?

        mutating func takeBand() -> Int? {
            guard failure == nil, next < bands.count else { return nil }
            next += 1
            return next - 1
        }
    }

    private func compressedBands() throws(CodecError) -> [Band] {
        let state = Mutex(State(bands: Array(repeating: nil, count: bandCount)))
        let threads = min(parallelism, bandCount)
        if threads > 1 {
            // This thread works as well, and alone if there is no other.
            DispatchQueue.concurrentPerform(iterations: threads) { _ in compressBands(state) }
        } else {
            compressBands(state)
        }
        let (bands, failure) = state.withLock { ($0.bands.compactMap(\.self), $0.failure) }
        if let failure { throw failure }
        return bands
    }

    /// Takes one band after the other until none is left.
    private func compressBands(_ state: borrowing Mutex<State>) {
        do throws(CodecError) {
            let deflate = try Deflate(level: level)
            while let index = state.withLock({ $0.takeBand() }) {
                let band = try compress(index, deflate)
                state.withLock { $0.bands[index] = band }
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func compress(_ index: Int, _ deflate: borrowing Deflate) throws(CodecError) -> Band {
        let first = index * rowsPerBand
        let count = min(rowsPerBand, rows.count - first)
        let filtered = UnsafeMutableRawBufferPointer.allocate(byteCount: count * bytesPerFilteredRow, alignment: 64)
        defer { filtered.deallocate() }
        // Filtering a band takes a fraction of a millisecond; compressing it, tens of them.
        try stopCheck?.check()
        filterRows(first..<(first + count), into: filtered, at: 0)
        let bytes = UnsafeRawBufferPointer(filtered)
        let checksum = Adler32.checksum(bytes)
        let isLast = index == bandCount - 1
        return Band(bytes: try compress(bytes, deflate, isLast: isLast), checksum: checksum, count: bytes.count)
    }

    private func compress(
        _ bytes: UnsafeRawBufferPointer, _ deflate: borrowing Deflate, isLast: Bool
    ) throws(CodecError) -> [UInt8] {
        let bound = deflate.bound(bytes.count)
        let result = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bound + Int(texel_deflate_padding), alignment: 64)
        defer { result.deallocate() }
        let count = deflate.compress(bytes, into: UnsafeMutableRawBufferPointer(rebasing: result[..<bound]))
        if isLast { return Array(result[..<count]) }
        guard let end = Self.continued(result, count: count) else {
            throw .cannotEncode("libdeflate wrote a stream that cannot be read")
        }
        return Array(result[..<count]) + end
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
