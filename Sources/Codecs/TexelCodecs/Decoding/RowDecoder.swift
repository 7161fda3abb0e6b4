public import TexelCore
public import TexelPixels

/// A decoder that returns BGRA32 rows from top to bottom, so that the whole image need not be in memory.
///
/// After a failure the decoder must not be used again; results returned before it remain valid.
public protocol RowDecoder: AnyObject {
    /// The size of the decoded image, after shrinking.
    var size: PixelSize { get }
    /// The alpha mode of the rows: opaque or straight.
    var alphaMode: AlphaMode { get }
    /// The colour space of the rows.
    var colorSpace: ColorSpace { get }

    /// Reads the next rows.
    ///
    /// - Parameters:
    ///   - count: the number of rows; not more than are left.
    ///   - rows: at least `count * bytesPerRow` bytes, for BGRA32 pixels.
    ///   - bytesPerRow: the distance between rows in bytes; at least four times the width.
    /// - Throws: `truncated` if rows are missing and the strictness does not accept that; any other `TexelError`.
    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError)

    /// Returns the whole image if the decoder has it in memory anyway, otherwise `nil`. Replaces reading rows.
    func wholeImage() throws(TexelError) -> PixelBuffer?

    /// Reads what follows the last row, and returns the metadata and the first of the accepted warnings.
    func finish() throws(TexelError) -> DecoderResult
}

/// The metadata of a decoded file, and the warnings that the strictness accepted.
public struct DecoderResult: Sendable {
    /// EXIF, XMP, comments and density.
    public var metadata: ImageMetadata
    /// The first of the warnings that the strictness accepted; empty if there are none.
    public var warnings: [String]
    /// Whether the stored pixels are damaged, or stored in a way that other readers refuse, though the strictness
    /// accepts that. Such a file is not copied: its pixels are encoded again.
    public var hasDamagedPixels: Bool

    /// Creates a result.
    public init(
        metadata: ImageMetadata = ImageMetadata(), warnings: [String] = [], hasDamagedPixels: Bool = false
    ) {
        self.metadata = metadata
        self.warnings = warnings
        self.hasDamagedPixels = hasDamagedPixels
    }
}

extension RowDecoder {
    public func wholeImage() throws(TexelError) -> PixelBuffer? { nil }

    /// Reads the whole image. No rows may have been read before.
    package func readImage(_ rowCounter: RowCounter? = nil) throws(TexelError) -> PixelBuffer {
        if let image = try wholeImage() {
            rowCounter?.advance(by: image.height)
            return image
        }
        var image = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        let (height, bytesPerRow) = (image.height, image.bytesPerRow)
        try image.withUnsafeMutableBytes { bytes throws(TexelError) in
            guard let base = bytes.baseAddress else { return }
            for y in stride(from: 0, to: height, by: Self.bandHeight) {
                let count = min(Self.bandHeight, height - y)
                try readRows(count, into: base + y * bytesPerRow, bytesPerRow: bytesPerRow)
                rowCounter?.advance(by: count)
            }
        }
        return image
    }

    /// The number of rows between two polls of the stop token: two rows of the largest JPEG MCUs (16 rows each).
    package static var bandHeight: Int { 32 }
}

/// Reads an image in bands of rows, into bands that the caller provides.
package final class RowReader {
    private let decoder: any RowDecoder
    private let rowCounter: RowCounter?
    private var rowsRead = 0

    package init(_ decoder: any RowDecoder, _ rowCounter: RowCounter? = nil) {
        self.decoder = decoder
        self.rowCounter = rowCounter
    }

    /// Allocates a band for the rows of this decoder.
    ///
    /// - Throws: `outOfMemory`.
    package func makeBand() throws(TexelError) -> RowBand { try RowBand(for: decoder) }

    /// Reads the next rows into `band`; returns whether there were any.
    package func read(into band: RowBand) throws(TexelError) -> Bool {
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

/// A band of consecutive decoded rows.
package final class RowBand {
    /// The row numbers of the band within the image.
    package fileprivate(set) var rows = 0..<0
    fileprivate let memory: UnsafeMutableRawPointer
    fileprivate let bytesPerRow: Int
    fileprivate let capacity: Int

    fileprivate init(for decoder: any RowDecoder) throws(TexelError) {
        bytesPerRow = decoder.size.width * PixelBuffer.bytesPerPixel
        capacity = type(of: decoder).bandHeight
        let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: capacity)
        guard !overflow else { throw .outOfMemory }
        memory = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Returns row `y` of the image, which must be in ``rows``.
    package func row(_ y: Int) -> UnsafeRawPointer {
        precondition(rows.contains(y), "row \(y) is not in this band")
        return UnsafeRawPointer(memory + (y - rows.lowerBound) * bytesPerRow)
    }
}
