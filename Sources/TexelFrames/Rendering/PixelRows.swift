import CPixelKernels
import TexelPixels

/// Makes BGRA rows of uncoded samples of one layout, a band at a time.
final class PixelRows {
    /// Of a row of BGRA pixels, rounded up to whole cache lines.
    let bytesPerRow: Int
    /// How many rows may be read at a time.
    var bandHeight: Int { reader.bandHeight }

    private let layout: SampleLayout
    private let reader: PlaneReader
    private let kernels = texel_kernels_in_use().pointee
    private let converter: YUVToBGRA?
    /// Whether the first rows of such a picture have left the cache before anybody reads them.
    private let exceedsCache: Bool
    private static let cachePixels = 4 << 20

    init(_ layout: SampleLayout) throws(PixelBufferError) {
        self.layout = layout
        reader = try PlaneReader(layout)
        bytesPerRow = Frame.bytesPerRow(width: layout.size.width)
        exceedsCache = layout.size.width >= Self.cachePixels / layout.size.height
        if case .yuv(let format, let color) = layout.format {
            converter = try YUVToBGRA(format, color, size: layout.size)
        } else {
            converter = nil
        }
    }

    /// - Parameters:
    ///   - rows: at most ``bandHeight``.
    ///   - destination: where the first of the rows goes.
    ///   - isFinal: whether nothing more is done with the pixels before somebody gets the frame.
    func read(
        _ rows: Range<Int>, of samples: SampleOrigin, frame: Int, into destination: UnsafeMutableRawPointer,
        bytesPerRow: Int, isFinal: Bool = false
    ) throws(FrameError) {
        if let converter { return try convert(rows, of: samples, frame, converter, destination, bytesPerRow, isFinal) }
        let from = try reader.rows(rows, ofPlane: 0, of: samples, frame: frame)
        let width = layout.size.width
        let sourceBytesPerRow = width * PixelBuffer.bytesPerPixel
        for y in 0..<rows.count {
            let (source, to) = (from + y * sourceBytesPerRow, destination + y * bytesPerRow)
            if layout.format == .rgba {
                // The same exchange of red and blue in both directions.
                kernels.pack_rgba_row(
                    to.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self), width)
            } else {
                to.copyMemory(from: source, byteCount: sourceBytesPerRow)
            }
        }
    }

    private func convert(
        _ rows: Range<Int>, of samples: SampleOrigin, _ frame: Int, _ converter: YUVToBGRA,
        _ destination: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ isFinal: Bool
    ) throws(FrameError) {
        let planes = reader.planes
        var source = YUVRows(
            y: try reader.rows(rows, ofPlane: 0, of: samples, frame: frame), yBytesPerRow: planes[0].bytesPerRow,
            firstRow: rows.lowerBound)
        if planes.count > 1 {
            let chromaRows = converter.chromaRows(for: rows)
            source.u = try reader.rows(chromaRows, ofPlane: 1, of: samples, frame: frame)
            source.chromaBytesPerRow = planes[1].bytesPerRow
            source.firstChromaRow = chromaRows.lowerBound
            if planes.count > 2 {
                source.v = try reader.rows(chromaRows, ofPlane: 2, of: samples, frame: frame)
            }
        }
        converter.convert(
            rows, from: source, to: destination, bytesPerRow: bytesPerRow, passesCache: isFinal && exceedsCache)
    }
}
