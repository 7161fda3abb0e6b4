import CPixelKernels
import TexelCore
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
    /// For YUV samples: one of each field if the fields are converted separately, else one.
    private let converters: [YUVToBGRA]
    /// Whether the image is too large to stay in the cache, so that finished pixels are stored with non-temporal
    /// writes.
    private let exceedsCache: Bool
    private static let cachePixels = 4 << 20

    /// Prepares a conversion.
    ///
    /// - Parameters:
    ///   - layout: The layout of the samples.
    ///   - scan: How their rows become those of the image.
    ///   - bandBytes: The size of a band, in bytes of the first plane.
    init(
        _ layout: SampleLayout, _ scan: FrameScan, bandBytes: Int = PlaneReader.cachedBandBytes
    ) throws(TexelError) {
        self.layout = layout
        reader = try PlaneReader(layout, bandBytes: bandBytes)
        bytesPerRow = Frame.bytesPerRow(width: layout.size.width)
        exceedsCache = layout.size.width >= Self.cachePixels / layout.size.height
        var converters: [YUVToBGRA] = []
        if case .yuv(let format, let color) = layout.format {
            let fieldCount = scan == .interlaced ? 2 : 1
            let chromaRowCount = format.planeSize(1, of: layout.size).height
            for field in 0..<fieldCount {
                func part(_ rowCount: Int) -> Int { (rowCount - field + fieldCount - 1) / fieldCount }
                converters.append(
                    try YUVToBGRA(
                        format, color, size: PixelSize(width: layout.size.width, height: part(layout.size.height)),
                        chromaRowCount: part(chromaRowCount)))
            }
        }
        self.converters = converters
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
    ) throws(TexelError) {
        if let format = converters.first?.format {
            return try convert(rows, of: samples, frame, format, destination, bytesPerRow, isFinal)
        }
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
        _ rows: Range<Int>, of samples: SampleOrigin, _ frame: Int, _ format: YUVFormat,
        _ destination: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ isFinal: Bool
    ) throws(TexelError) {
        let luma = try reader.rows(rows, ofPlane: 0, of: samples, frame: frame)
        let chromaRows = chromaRows(for: rows)
        var (u, v): (PlaneRows?, PlaneRows?)
        if format.sampling != .none {
            u = try reader.rows(chromaRows, ofPlane: 1, of: samples, frame: frame)
            if !format.isInterleaved { v = try reader.rows(chromaRows, ofPlane: 2, of: samples, frame: frame) }
        }
        var alpha: PlaneRows?
        if let plane = format.alphaPlane { alpha = try reader.rows(rows, ofPlane: plane, of: samples, frame: frame) }
        for (field, converter) in converters.enumerated() {
            let own = ownRows(rows, of: field)
            guard !own.isEmpty else { continue }
            let chroma = converter.chromaRows(for: own)
            let step = converters.count
            let (first, firstChroma) = (own.lowerBound * step + field, chroma.lowerBound * step + field)
            func pointer(_ plane: PlaneRows?) -> UnsafeRawPointer? {
                plane.map { $0.base + (firstChroma - chromaRows.lowerBound) * $0.bytesPerRow }
            }
            converter.convert(
                own,
                from: YUVRows(
                    y: luma.base + (first - rows.lowerBound) * luma.bytesPerRow,
                    yBytesPerRow: step * luma.bytesPerRow, firstRow: own.lowerBound, u: pointer(u), v: pointer(v),
                    chromaBytesPerRow: step * (u?.bytesPerRow ?? 0), firstChromaRow: chroma.lowerBound,
                    alpha: alpha.map { $0.base + (first - rows.lowerBound) * $0.bytesPerRow },
                    alphaBytesPerRow: step * (alpha?.bytesPerRow ?? 0)),
                to: destination + (first - rows.lowerBound) * bytesPerRow, bytesPerRow: step * bytesPerRow,
                usesNonTemporalStores: isFinal && exceedsCache)
        }
    }

    /// The rows of a field, counted in the field, that are among rows of the image.
    private func ownRows(_ rows: Range<Int>, of field: Int) -> Range<Int> {
        let step = converters.count
        return (rows.lowerBound - field + step - 1) / step..<(rows.upperBound - field + step - 1) / step
    }

    /// The chroma rows of the image that rows of pixels need.
    private func chromaRows(for rows: Range<Int>) -> Range<Int> {
        let step = converters.count
        var result: Range<Int>?
        for (field, converter) in converters.enumerated() {
            let own = converter.chromaRows(for: ownRows(rows, of: field))
            guard !own.isEmpty else { continue }
            let (first, end) = (own.lowerBound * step + field, (own.upperBound - 1) * step + field + 1)
            result = min(first, result?.lowerBound ?? first)..<max(end, result?.upperBound ?? end)
        }
        return result ?? 0..<0
    }
}
