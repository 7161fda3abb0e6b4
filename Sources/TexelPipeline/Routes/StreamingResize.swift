import TexelCodecs
import TexelPixels

/// Rows from a decoder through a filter into a picture of the target's size; what the decoder hands out is never in
/// memory as a whole.
struct StreamingResize {
    private let resampling: Plan.Resampling
    private let shrink: Int
    /// Whether the decoder works on a thread of its own.
    private let isParallel: Bool

    init(_ resampling: Plan.Resampling, shrink: Int, isParallel: Bool) {
        self.isParallel = isParallel
        self.resampling = resampling
        self.shrink = shrink
    }

    func run(_ decoder: any RowDecoder) throws(CodecError) -> DecodedImage {
        // The planner shrinks only whole pictures; the shrunken one may be a fraction of a pixel larger.
        let bounds = shrink == 1 ? resampling.bounds : PixelRectangle(covering: decoder.size)
        let sampled = resampling.sampled.divided(by: Double(shrink))
        let resampler: RowResampler
        var picture: PixelBuffer
        do {
            resampler = try RowResampler(
                source: bounds.size, region: sampled, target: resampling.target, filter: resampling.filter,
                linearLight: resampling.usesLinearLight, alphaMode: decoder.alphaMode, order: resampling.order)
            picture = try PixelBuffer(
                uninitialized: resampling.target, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
        } catch {
            throw .pixels(error)
        }
        let bytesPerRow = picture.bytesPerRow
        // One more than the two at work, so that neither half waits for the other at every band.
        let reader = RowReader(decoder)
        let bands = try (0..<(isParallel ? 3 : 1)).map { _ throws(CodecError) in try reader.makeBand() }
        try picture.withUnsafeMutableBytes { bytes throws(CodecError) in
            guard let destination = bytes.baseAddress else { return }
            // All rows: what is wrong with the last is wrong with the file, whatever the filter needs.
            try BandRelay.run(
                bands, isParallel: isParallel, fill: reader.read(into:)
            ) { band throws(CodecError) in
                for y in band.rows where y >= bounds.y && y < bounds.y + bounds.height {
                    resampler.push(row: band.row(y) + bounds.x * PixelBuffer.bytesPerPixel)
                    while resampler.takeRow(into: destination + resampler.takenRowCount * bytesPerRow) {}
                }
            }
        }
        return DecodedImage(picture, try decoder.finish())
    }
}

extension FractionalRectangle {
    fileprivate func divided(by divisor: Double) -> FractionalRectangle {
        FractionalRectangle(x: x / divisor, y: y / divisor, width: width / divisor, height: height / divisor)
    }
}
