import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Makes the rows of a result from a decoder's rows: filtered, changed by steps, or as they are. Rows are processed as
/// they arrive, so the source image is never in memory as a whole, and several receivers can take the same rows.
///
/// The result is one image, or bands that are handed on as soon as they are complete.
final class RowReceiver {
    /// Takes the bands of a result.
    struct BandConsumer {
        /// The number of rows of each band but the last.
        let height: Int
        let take: (consuming PixelBuffer) throws(TexelError) -> Void
    }

    /// The whole result, or the rows from ``firstRow``.
    private var image: PixelBuffer
    private var firstRow = 0
    private let consumer: BandConsumer?
    private let result: RasterShape
    private let colorSpace: ColorSpace
    /// The part of the decoder's image that is used.
    private let bounds: PixelRectangle
    private let resampler: RowResampler?
    /// The steps that are done while reading; `nil` if there are none.
    private let stream: SegmentStream?
    /// The number of rows that have passed the load.
    private var loadedRows = 0
    /// The number of rows of the result that are complete.
    private var finishedRows: Int { stream?.finishedRows ?? loadedRows }

    /// - Parameters:
    ///   - route: its load and its streamed steps are carried out.
    ///   - consumer: takes bands of the result; `nil` to make one image.
    init(
        _ route: some PixelRoute, of decoder: any RowDecoder, to consumer: BandConsumer? = nil
    ) throws(TexelError) {
        let alphaMode = decoder.alphaMode
        self.consumer = consumer
        colorSpace = route.resultColorSpace(of: decoder.colorSpace)
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
        stream = try segments.first.map { segment throws(TexelError) in try SegmentStream(segment) }
        result = segments.first?.result ?? loaded
        image = try Self.memory(for: result, from: 0, consumer, stream, colorSpace)
    }

    /// Memory for the whole result, or for its rows from `first` until the next band is complete.
    private static func memory(
        for result: RasterShape, from first: Int, _ consumer: BandConsumer?, _ stream: SegmentStream?,
        _ colorSpace: ColorSpace
    ) throws(TexelError) -> PixelBuffer {
        var size = result.size
        // Steps finish several rows at a time.
        if let consumer { size.height = min(size.height - first, consumer.height + (stream?.bandHeight ?? 0)) }
        return try PixelBuffer(uninitialized: size, alphaMode: result.alphaMode, colorSpace: colorSpace)
    }

    /// Processes the decoder's next rows.
    ///
    /// - Throws: the errors of the consumer, `outOfMemory`; nothing without a consumer.
    func take(_ band: RowBand) throws(TexelError) {
        let rows = band.rows.clamped(to: bounds.y..<(bounds.y + bounds.height))
        var next = rows.lowerBound
        repeat {
            image.updateRaster(to: image.alphaMode) { memory in
                // As if the rows before were there.
                let result = Raster(
                    base: memory.base - firstRow * memory.bytesPerRow, bytesPerRow: memory.bytesPerRow,
                    size: result.size, alphaMode: result.alphaMode)
                load(band, &next, rows.upperBound, into: result)
            }
            try handOn()
        } while next < rows.upperBound || resampler?.hasFinishedRow ?? false || stream?.hasReadyBand ?? false
    }

    /// Loads rows until a band is complete or there are no more.
    private func load(_ band: RowBand, _ next: inout Int, _ end: Int, into result: Raster) {
        let offset = bounds.x * PixelBuffer.bytesPerPixel
        let width = bounds.width * PixelBuffer.bytesPerPixel
        while !isBandComplete {
            if let stream, stream.hasReadyBand {
                stream.runBand(into: result)
            } else if let resampler, resampler.hasFinishedRow {
                _ = resampler.takeRow(into: nextRow(result))
                finishRow()
            } else if next < end {
                let row = band.row(next) + offset
                next += 1
                if let resampler {
                    resampler.push(row: row)
                } else {
                    // The loaded rows have the width of the bounds, which are inside the decoder's rows.
                    nextRow(result).copyMemory(from: row, byteCount: width)
                    finishRow()
                }
            } else {
                return
            }
        }
    }

    /// Memory for the next row that passes the load.
    private func nextRow(_ result: Raster) -> UnsafeMutableRawPointer {
        stream?.nextRow() ?? result.row(loadedRows)
    }

    private func finishRow() {
        stream?.take()
        loadedRows += 1
    }

    private var isBandComplete: Bool {
        guard let consumer else { return false }
        return finishedRows - firstRow >= consumer.height
    }

    /// Hands on the bands that are complete, of which steps may have finished several, and the last one.
    private func handOn() throws(TexelError) {
        guard let consumer else { return }
        while finishedRows > firstRow, isBandComplete || finishedRows == result.size.height {
            let (count, complete) = (min(consumer.height, finishedRows - firstRow), finishedRows - firstRow)
            // The encoder may hold many bands, without the memory for the further rows of steps.
            let band = stream == nil ? try image.rows(0..<count) : try image.copy(of: 0..<count)
            firstRow += count
            if firstRow < result.size.height {
                let former = image
                image = try Self.memory(for: result, from: firstRow, consumer, stream, colorSpace)
                // Steps may have completed rows of the next band.
                if complete > count { image.copyRows(try former.rows(count..<complete)) }
            }
            try consumer.take(band)
        }
    }

    /// Returns the image after the decoder's last row. Must be called once, without a consumer.
    func finish() -> PixelBuffer { image }

    /// Reads all of a decoder's rows and passes them on.
    ///
    /// - Parameters:
    ///   - isParallel: whether the decoder runs on a thread of its own.
    ///   - take: uses a band. All rows are read, even those that no filter needs, because an error in the last row is
    ///     an error of the file.
    static func read(
        _ decoder: any RowDecoder, isParallel: Bool, take: (RowBand) throws(TexelError) -> Void
    ) throws(TexelError) -> DecoderResult {
        // One more band than the two in use, so that neither thread waits for the other at every band.
        let reader = RowReader(decoder)
        let bands = try (0..<(isParallel ? 3 : 1)).map { _ throws(TexelError) in try reader.makeBand() }
        try BandRelay.run(bands, isParallel: isParallel, fill: reader.read(into:), use: take)
        return try decoder.finish()
    }
}

extension PixelBuffer {
    /// Returns some rows, which share the memory.
    fileprivate func rows(_ range: Range<Int>) throws(TexelError) -> PixelBuffer {
        try cropped(to: PixelRectangle(x: 0, y: range.lowerBound, width: width, height: range.count))
    }

    /// Returns a copy of some rows.
    fileprivate func copy(of range: Range<Int>) throws(TexelError) -> PixelBuffer {
        var copy = try PixelBuffer(
            uninitialized: PixelSize(width: width, height: range.count), alphaMode: alphaMode, colorSpace: colorSpace)
        copy.copyRows(try rows(range))
        return copy
    }

    /// Copies an image of the same width and at most the same height to the first rows.
    fileprivate mutating func copyRows(_ other: PixelBuffer) {
        updateRaster(to: alphaMode) { raster in
            other.withRaster { source in
                raster.cropped(to: PixelRectangle(covering: other.size)).copyRows(from: source)
            }
        }
    }
}

extension FractionalRectangle {
    fileprivate func divided(by divisor: Double) -> FractionalRectangle {
        FractionalRectangle(x: x / divisor, y: y / divisor, width: width / divisor, height: height / divisor)
    }
}
