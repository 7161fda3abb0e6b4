import TexelCodecs
import TexelPixels

/// Rows from a decoder through a filter into a picture of the target's size; what the decoder hands out is never in
/// memory as a whole.
struct StreamingResize {
    private let resampling: Plan.Resampling
    private let shrink: Int

    init(_ resampling: Plan.Resampling, shrink: Int) {
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
                linearLight: resampling.usesLinearLight, alphaMode: decoder.alphaMode)
            picture = try PixelBuffer(
                uninitialized: resampling.target, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
        } catch {
            throw .pixels(error)
        }
        let bytesPerRow = picture.bytesPerRow
        try picture.withUnsafeMutableBytes { bytes throws(CodecError) in
            guard let destination = bytes.baseAddress else { return }
            try forEachRow(of: decoder) { y, row in
                guard y >= bounds.y, y < bounds.y + bounds.height else { return }
                resampler.push(row: row + bounds.x * PixelBuffer.bytesPerPixel)
                while resampler.takeRow(into: destination + resampler.takenRowCount * bytesPerRow) {}
            }
        }
        return DecodedImage(picture, try decoder.finish())
    }

    /// Reads all rows in bands: what is wrong with the last row is wrong with the file, whatever the filter needs.
    private func forEachRow(
        of decoder: any RowDecoder, _ body: (_ y: Int, _ row: UnsafeRawPointer) -> Void
    ) throws(CodecError) {
        let bytesPerRow = decoder.size.width * PixelBuffer.bytesPerPixel
        let bandHeight = 16
        let band = UnsafeMutableRawPointer.allocate(byteCount: bytesPerRow * bandHeight, alignment: 64)
        defer { band.deallocate() }
        for y in stride(from: 0, to: decoder.size.height, by: bandHeight) {
            let count = min(bandHeight, decoder.size.height - y)
            try decoder.readRows(count, into: band, bytesPerRow: bytesPerRow)
            for row in 0..<count { body(y + row, band + row * bytesPerRow) }
        }
    }
}

extension FractionalRectangle {
    fileprivate func divided(by divisor: Double) -> FractionalRectangle {
        FractionalRectangle(x: x / divisor, y: y / divisor, width: width / divisor, height: height / divisor)
    }
}
