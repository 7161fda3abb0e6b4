import TexelCodecs
import TexelPixels

/// A picture that the rows of a decoder become: through a filter, or as they are. What the decoder hands out is never in
/// memory as a whole for it, and several pictures can be made of the same rows.
final class RowReceiver {
    private var picture: PixelBuffer
    /// The rows and columns of what the decoder hands out that are taken in.
    private let bounds: PixelRectangle
    private let resampler: RowResampler?

    /// - Parameter shrink: by how much the decoder divides both sides.
    init(_ load: Plan.Load, shrink: Int, of decoder: any RowDecoder) throws(CodecError) {
        do {
            switch load {
            case .decode(let rectangle):
                bounds = rectangle
                resampler = nil
                picture = try PixelBuffer(
                    uninitialized: rectangle.size, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
            case .resample(let resampling):
                // The planner shrinks only whole pictures; the shrunken one may be a fraction of a pixel larger.
                bounds = shrink == 1 ? resampling.bounds : PixelRectangle(covering: decoder.size)
                resampler = try RowResampler(
                    source: bounds.size, region: resampling.sampled.divided(by: Double(shrink)),
                    target: resampling.target, filter: resampling.filter, linearLight: resampling.usesLinearLight,
                    alphaMode: decoder.alphaMode, order: resampling.order)
                picture = try PixelBuffer(
                    uninitialized: resampling.target, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
            }
        } catch {
            throw .pixels(error)
        }
    }

    /// Takes in the decoder's next rows.
    func take(_ band: RowBand) {
        let rows = band.rows.clamped(to: bounds.y..<(bounds.y + bounds.height))
        let offset = bounds.x * PixelBuffer.bytesPerPixel
        let (bytesPerRow, width) = (picture.bytesPerRow, bounds.width * PixelBuffer.bytesPerPixel)
        picture.withUnsafeMutableBytes { bytes in
            guard let destination = bytes.baseAddress else { return }
            guard let resampler else {
                // The picture is as large as the bounds, which lie inside the decoder's rows.
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

    /// After the decoder's last row: the picture. Called once.
    func finish() -> PixelBuffer { picture }

    /// Reads all of a decoder's rows, and lets everybody take them in.
    ///
    /// - Parameters:
    ///   - isParallel: whether the decoder works on a thread of its own.
    ///   - take: takes in a band; all rows come, because what is wrong with the last is wrong with the file, whatever
    ///     the filters need.
    static func read(
        _ decoder: any RowDecoder, isParallel: Bool, take: (RowBand) throws(CodecError) -> Void
    ) throws(CodecError) -> DecoderNotes {
        // One more than the two at work, so that neither half waits for the other at every band.
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
