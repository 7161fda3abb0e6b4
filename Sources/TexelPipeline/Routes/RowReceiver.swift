import TexelCodecs
import TexelOperations
import TexelPixels

/// Makes an image of a decoder's rows, filtered or as they are. Rows are processed as they arrive, so the source
/// image is never in memory as a whole, and several receivers can take the same rows.
final class RowReceiver {
    private var image: PixelBuffer
    /// The part of the decoder's image that is used.
    private let bounds: PixelRectangle
    private let resampler: RowResampler?

    /// - Parameter shrink: the factor by which the decoder divides both sides.
    init(_ load: PixelLoad, shrink: Int, of decoder: any RowDecoder) throws(CodecError) {
        do {
            switch load {
            case .decode(let rectangle):
                bounds = rectangle
                resampler = nil
                image = try PixelBuffer(
                    uninitialized: rectangle.size, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
            case .resample(let resampling):
                // The planner uses shrink only for whole images; the shrunk one may be a fraction of a pixel larger
                // than planned.
                bounds = shrink == 1 ? resampling.bounds : PixelRectangle(covering: decoder.size)
                resampler = try RowResampler(
                    source: bounds.size, region: resampling.sampled.divided(by: Double(shrink)),
                    target: resampling.target, filter: resampling.filter, linearLight: resampling.usesLinearLight,
                    alphaMode: decoder.alphaMode, order: resampling.order)
                image = try PixelBuffer(
                    uninitialized: resampling.target, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
            }
        } catch {
            throw .pixels(error)
        }
    }

    /// Processes the decoder's next rows.
    func take(_ band: RowBand) {
        let rows = band.rows.clamped(to: bounds.y..<(bounds.y + bounds.height))
        let offset = bounds.x * PixelBuffer.bytesPerPixel
        let (bytesPerRow, width) = (image.bytesPerRow, bounds.width * PixelBuffer.bytesPerPixel)
        image.withUnsafeMutableBytes { bytes in
            guard let destination = bytes.baseAddress else { return }
            guard let resampler else {
                // The image has the size of the bounds, which are inside the decoder's rows.
                for y in rows {
                    (destination + (y - bounds.y) * bytesPerRow)
                        .copyMemory(from: band.row(y) + offset, byteCount: width)
                }
                return
            }
            for y in rows {
                resampler.push(row: band.row(y) + offset)
                while resampler.takeRow(into: destination + resampler.takenRowCount * bytesPerRow) {}
            }
        }
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
