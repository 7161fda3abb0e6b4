import TexelCodecs
import TexelOperations
import TexelPixels

/// Makes an image of a decoder's rows: filtered, changed by steps, or as they are. Rows are processed as they arrive, so
/// the source image is never in memory as a whole, and several receivers can take the same rows.
final class RowReceiver {
    private var image: PixelBuffer
    /// The part of the decoder's image that is used.
    private let bounds: PixelRectangle
    private let resampler: RowResampler?
    /// The steps that are done while reading; `nil` if there are none.
    private let stream: SegmentStream?
    /// The number of rows that have passed the load.
    private var loadedRows = 0

    /// - Parameter route: its load and its streamed steps are carried out.
    init(_ route: some PixelRoute, of decoder: any RowDecoder) throws(CodecError) {
        let alphaMode = decoder.alphaMode
        do {
            switch route.load {
            case .decode(let rectangle):
                bounds = rectangle
                resampler = nil
            case .resample(let resampling):
                // The planner uses shrink only for whole images; the shrunk one may be a fraction of a pixel larger
                // than planned.
                let shrink = route.shrink
                bounds = shrink == 1 ? resampling.bounds : PixelRectangle(covering: decoder.size)
                resampler = try RowResampler(
                    source: bounds.size, region: resampling.sampled.divided(by: Double(shrink)),
                    target: resampling.target, filter: resampling.filter, linearLight: resampling.usesLinearLight,
                    alphaMode: alphaMode, order: resampling.order)
            }
            let loaded = RasterShape(size: route.load.size, alphaMode: alphaMode)
            let segments = StepSegment.segments(of: route.streamedSteps, for: loaded)
            precondition(segments.count <= 1, "steps that are streamed form one segment")
            stream = try segments.first.map { segment throws(PixelBufferError) in try SegmentStream(segment) }
            let result = segments.first?.result ?? loaded
            image = try PixelBuffer(
                uninitialized: result.size, alphaMode: result.alphaMode, colorSpace: decoder.colorSpace)
        } catch {
            throw .pixels(error)
        }
    }

    /// Processes the decoder's next rows.
    func take(_ band: RowBand) {
        let rows = band.rows.clamped(to: bounds.y..<(bounds.y + bounds.height))
        let offset = bounds.x * PixelBuffer.bytesPerPixel
        let width = bounds.width * PixelBuffer.bytesPerPixel
        image.updateRaster(to: image.alphaMode) { result in
            for y in rows {
                let row = band.row(y) + offset
                guard let resampler else {
                    // The loaded rows have the width of the bounds, which are inside the decoder's rows.
                    nextRow(result).copyMemory(from: row, byteCount: width)
                    finishRow(result)
                    continue
                }
                resampler.push(row: row)
                while resampler.hasFinishedRow {
                    _ = resampler.takeRow(into: nextRow(result))
                    finishRow(result)
                }
            }
        }
    }

    /// Memory for the next row that passes the load.
    private func nextRow(_ result: Raster) -> UnsafeMutableRawPointer {
        stream?.nextRow() ?? result.row(loadedRows)
    }

    private func finishRow(_ result: Raster) {
        stream?.take(into: result)
        loadedRows += 1
    }

    /// Returns the image after the decoder's last row. Must be called once.
    func finish() -> PixelBuffer { image }

    /// Reads all of a decoder's rows and passes them on.
    ///
    /// - Parameters:
    ///   - isParallel: whether the decoder runs on a thread of its own.
    ///   - take: uses a band. All rows are read, even those that no filter needs, because an error in the last row is
    ///     an error of the file.
    static func read(
        _ decoder: any RowDecoder, isParallel: Bool, take: (RowBand) throws(CodecError) -> Void
    ) throws(CodecError) -> DecoderResult {
        // One more band than the two in use, so that neither thread waits for the other at every band.
        let reader = RowReader(decoder)
        let bands = try (0..<(isParallel ? 3 : 1)).map { _ throws(CodecError) in try reader.makeBand() }
        try BandRelay.run(bands, isParallel: isParallel, fill: reader.read(into:), use: take)
        return try decoder.finish()
    }
}

extension FractionalRectangle {
    fileprivate func divided(by divisor: Double) -> FractionalRectangle {
        FractionalRectangle(x: x / divisor, y: y / divisor, width: width / divisor, height: height / divisor)
    }
}
