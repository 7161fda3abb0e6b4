import CPixelKernels
import TexelPixels

/// Converts uncompressed samples of one layout to BGRA rows, in bands.
final class PixelRows {
    /// The stride of a BGRA row in bytes, rounded up to whole cache lines.
    let bytesPerRow: Int
    /// The maximum number of rows per call.
    var bandHeight: Int { reader.bandHeight }

    private let layout: SampleLayout
    private let reader: PlaneReader
    private let kernels = texel_kernels_in_use().pointee
    private let converter: YUVToBGRA?
    /// Whether the image is too large to stay in the cache, so that finished pixels are stored with non-temporal
    /// writes.
    private let exceedsCache: Bool
    private static let cachePixels = 4 << 20

    /// Prepares a conversion.
    ///
    /// - Parameter bandBytes: The size of a band, in bytes of the first plane.
    init(_ layout: SampleLayout, bandBytes: Int = PlaneReader.cachedBandBytes) throws(PixelBufferError) {
        self.layout = layout
        reader = try PlaneReader(layout, bandBytes: bandBytes)
        bytesPerRow = Frame.bytesPerRow(width: layout.size.width)
        exceedsCache = layout.size.width >= Self.cachePixels / layout.size.height
        if case .yuv(let format, let color) = layout.format {
            converter = try YUVToBGRA(format, color, size: layout.size)
        } else {
            converter = nil
        }
    }

    /// Converts rows to BGRA.
    ///
    /// - Parameters:
    ///   - rows: The rows of the image, at most ``bandHeight``.
    ///   - samples: Where the frame's samples are.
    ///   - frame: The frame's number, for errors.
    ///   - destination: Receives the first of the rows.
    ///   - bytesPerRow: The stride of the destination in bytes.
    ///   - isFinal: Whether the pixels are not processed further before the frame is delivered.
    func read(
        _ rows: Range<Int>, of samples: SampleOrigin, frame: Int, into destination: UnsafeMutableRawPointer,
        bytesPerRow: Int, isFinal: Bool = false
    ) throws(FrameError) {
        if let converter { return try convert(rows, of: samples, frame, converter, destination, bytesPerRow, isFinal) }
        let from = try reader.rows(rows, ofPlane: 0, of: samples, frame: frame)
        let width = layout.size.width
        for y in 0..<rows.count {
            let (source, to) = (from.base + y * from.bytesPerRow, destination + y * bytesPerRow)
            if layout.format == .rgba {
                // Swapping red and blue is its own inverse.
                kernels.pack_rgba_row(
                    to.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self), width)
            } else {
                to.copyMemory(from: source, byteCount: width * PixelBuffer.bytesPerPixel)
            }
        }
    }

    private func convert(
        _ rows: Range<Int>, of samples: SampleOrigin, _ frame: Int, _ converter: YUVToBGRA,
        _ destination: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ isFinal: Bool
    ) throws(FrameError) {
        let luma = try reader.rows(rows, ofPlane: 0, of: samples, frame: frame)
        var source = YUVRows(y: luma.base, yBytesPerRow: luma.bytesPerRow, firstRow: rows.lowerBound)
        let format = converter.format
        if format.sampling != .none {
            let chromaRows = converter.chromaRows(for: rows)
            let u = try reader.rows(chromaRows, ofPlane: 1, of: samples, frame: frame)
            source.u = u.base
            source.chromaBytesPerRow = u.bytesPerRow
            source.firstChromaRow = chromaRows.lowerBound
            if !format.isInterleaved {
                source.v = try reader.rows(chromaRows, ofPlane: 2, of: samples, frame: frame).base
            }
        }
        if let plane = format.alphaPlane {
            let alpha = try reader.rows(rows, ofPlane: plane, of: samples, frame: frame)
            source.alpha = alpha.base
            source.alphaBytesPerRow = alpha.bytesPerRow
        }
        converter.convert(
            rows, from: source, to: destination, bytesPerRow: bytesPerRow,
            usesNonTemporalStores: isFinal && exceedsCache)
    }
}
