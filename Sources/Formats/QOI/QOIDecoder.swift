import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a QOI file to BGRA32 rows, each as soon as its chunks have arrived.
final class QOIDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace

    private let bytes: InputBytes
    private let options: DecodeOptions
    private var pixels = QOIPixels()
    private var position = QOIHeader.byteCount
    private var rowsRead = 0
    /// Whether chunks are missing.
    private var isTruncated = false

    init(_ header: QOIHeader, in bytes: InputBytes, _ options: DecodeOptions) throws(TexelError) {
        try options.policy.limits.check(header.size)
        (self.bytes, self.options) = (bytes, options)
        (size, colorSpace) = (header.size, header.colorSpace)
        alphaMode = header.hasAlpha ? .straight : .opaque
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        for y in 0..<count {
            // The caller's memory holds `count` rows of `size.width` pixels each.
            let row = UnsafeMutableBufferPointer(
                start: (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self), count: size.width)
            var x = 0
            if !isTruncated { x = try readRow(into: row) }
            if x < row.count {
                guard options.policy.strictness == .none else {
                    throw .truncated(rowsRead: rowsRead, rows: size.height)
                }
                isTruncated = true
                row[x...].update(repeating: alphaMode.missingPixel)
            } else {
                rowsRead += 1
            }
            // Chunks may give alpha to pixels of a file without an alpha channel.
            if alphaMode == .opaque { for x in row.indices { row[x] |= 0xFF00_0000 } }
        }
    }

    /// Decodes a row, waiting for its chunks; returns the number of pixels, which is less than the width only at the
    /// end of the file.
    private func readRow(into row: UnsafeMutableBufferPointer<UInt32>) throws(TexelError) -> Int {
        defer { extendLifetime(bytes) }
        var x = 0
        while true {
            let (end, isLast) = try chunkEnd()
            pixels.decode(UnsafeBufferPointer(start: bytes.base, count: end), at: &position, into: row, &x)
            if x == row.count || isLast { return x }
        }
    }

    /// Waits for the largest chunk at `position`.
    ///
    /// The last eight bytes of the file are no chunks if they are the end marker. As long as the end is not known, this
    /// many bytes after a chunk are waited for.
    ///
    /// - Returns: the end of the bytes that may be read as chunks, and whether no more chunks follow.
    private func chunkEnd() throws(TexelError) -> (end: Int, isLast: Bool) {
        let marker = QOIHeader.endMarker
        let arrived = try bytes.wait(for: position + QOIPixels.largestChunk + marker.count, options.stop)
        guard let count = bytes.wholeCount else { return (arrived - marker.count, false) }
        let isMarked =
            count >= position + marker.count && bytes[(count - marker.count)..<count].elementsEqual(marker)
        return (isMarked ? count - marker.count : count, true)
    }

    func finish() throws(TexelError) -> DecoderResult {
        if isTruncated { return DecoderResult(warnings: ["the image is truncated"]) }
        let end = position + QOIHeader.endMarker.count
        let isMarked =
            try bytes.has(end, options.stop) && bytes[position..<end].elementsEqual(QOIHeader.endMarker)
        guard !isMarked else { return DecoderResult() }
        let warning = "the end marker is missing"
        if options.policy.strictness == .warning { throw .warning(warning) }
        return DecoderResult(warnings: [warning])
    }
}
