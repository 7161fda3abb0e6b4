package import TexelPixels

/// A decoder that hands out BGRA32 rows from top to bottom, so that a picture need never be in memory as a whole.
///
/// A failure ends the decoder; what it said so far stays readable.
package protocol RowDecoder: AnyObject {
    /// The size of the picture handed out, after shrinking.
    var size: PixelSize { get }
    var alphaMode: AlphaMode { get }
    var colorSpace: ColorSpace { get }

    /// Reads the next `count` rows into memory of at least `count * bytesPerRow` bytes.
    ///
    /// - Throws: `truncated` under a strictness that does not accept missing rows, and anything a file can have.
    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(CodecError)

    /// Instead of any rows: the whole picture, where the decoder has it in memory anyway.
    func wholePicture() throws(CodecError) -> PixelBuffer?

    /// After the last row: what stands behind the pixels, and the first of the warnings that passed.
    func finish() throws(CodecError) -> DecoderNotes
}

/// What a decoder let pass.
package struct DecoderNotes: Sendable {
    package var metadata: ImageMetadata
    package var warnings: [String]
}

extension RowDecoder {
    package func wholePicture() throws(CodecError) -> PixelBuffer? { nil }

    /// The whole picture; no rows are read before.
    package func readPicture(_ rowCounter: RowCounter? = nil) throws(CodecError) -> PixelBuffer {
        if let picture = try wholePicture() {
            rowCounter?.advance(by: picture.height)
            return picture
        }
        var picture: PixelBuffer
        do {
            picture = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        } catch {
            throw .pixels(error)
        }
        let (height, bytesPerRow) = (picture.height, picture.bytesPerRow)
        try picture.withUnsafeMutableBytes { bytes throws(CodecError) in
            guard let base = bytes.baseAddress else { return }
            for y in stride(from: 0, to: height, by: Self.bandHeight) {
                let count = min(Self.bandHeight, height - y)
                try readRows(count, into: base + y * bytesPerRow, bytesPerRow: bytesPerRow)
                rowCounter?.advance(by: count)
            }
        }
        return picture
    }

    /// Rows between two questions whether to stop: two rows of the largest JPEG blocks.
    package static var bandHeight: Int { 32 }
}

/// Hands out a picture in bands of rows, which the caller brings along.
package final class RowReader {
    private let decoder: any RowDecoder
    private let rowCounter: RowCounter?
    private var rowsRead = 0

    package init(_ decoder: any RowDecoder, _ rowCounter: RowCounter? = nil) {
        self.decoder = decoder
        self.rowCounter = rowCounter
    }

    package func makeBand() throws(CodecError) -> RowBand { try RowBand(for: decoder) }

    /// Reads the next rows, and says whether there were any.
    package func read(into band: RowBand) throws(CodecError) -> Bool {
        let count = min(band.capacity, decoder.size.height - rowsRead)
        guard count > 0 else { return false }
        // The band's memory holds `capacity` rows.
        try decoder.readRows(count, into: band.memory, bytesPerRow: band.bytesPerRow)
        band.rows = rowsRead..<(rowsRead + count)
        rowsRead += count
        rowCounter?.advance(by: count)
        return true
    }
}

/// Some rows of a picture, on their way from a decoder.
package final class RowBand {
    /// Which rows these are.
    package fileprivate(set) var rows = 0..<0
    fileprivate let memory: UnsafeMutableRawPointer
    fileprivate let bytesPerRow: Int
    fileprivate let capacity: Int

    fileprivate init(for decoder: any RowDecoder) throws(CodecError) {
        bytesPerRow = decoder.size.width * PixelBuffer.bytesPerPixel
        capacity = type(of: decoder).bandHeight
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: capacity)
        guard !overflow else { throw .outOfMemory }
        memory = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Row `y` of the picture, which is one of ``rows``.
    package func row(_ y: Int) -> UnsafeRawPointer {
        precondition(rows.contains(y), "row \(y) is not in this band")
        return UnsafeRawPointer(memory + (y - rows.lowerBound) * bytesPerRow)
    }
}
