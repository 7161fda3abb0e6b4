import TexelCore
import TexelPixels

/// Makes all levels of a pyramid from the rows of the image, from top to bottom. Each row of a level is the mean of two
/// rows of the level before it, so a level holds two rows and a strip of tiles in memory.
///
/// A pixel of level n is the mean of 2ⁿ × 2ⁿ pixels of the image, aligned to its top left corner, or of fewer ones at
/// the right and bottom edges. The levels therefore do not move against each other. Means are taken of premultiplied
/// colours with 8 more bits than a sample has, and are rounded to samples only for the strips, so that rounding errors
/// do not add up over the levels.
struct LevelCascade: Sendable {
    private let sizes: [PixelSize]
    private let alphaMode: AlphaMode
    private var strips: [LevelStrips]
    /// The last two rows of each level but the last: four samples a pixel, in the order of the pixel's bytes.
    private var samples: [UInt16]
    /// Where the rows of each level begin in `samples`.
    private let offsets: [Int]

    /// - Parameters:
    ///   - geometry: the levels and tiles.
    ///   - alphaMode: that of the rows: `opaque` or `straight`.
    ///   - colorSpace: that of the rows, which the strips get.
    init(of geometry: PyramidGeometry, alphaMode: AlphaMode, colorSpace: ColorSpace) {
        sizes = geometry.levels
        self.alphaMode = alphaMode
        strips = geometry.levels.indices.map {
            LevelStrips(of: geometry, level: $0, alphaMode: alphaMode, colorSpace: colorSpace)
        }
        var (offsets, count) = ([Int](), 0)
        for size in geometry.levels {
            offsets.append(count)
            count += 2 * 4 * size.width
        }
        self.offsets = offsets
        samples = [UInt16](repeating: 0, count: count)
    }

    /// Takes the next rows of the image.
    ///
    /// - Parameter band: as wide as the image; with the alpha mode of the cascade.
    /// - Returns: the strips that are complete now, of all levels.
    /// - Throws: `outOfMemory`.
    mutating func push(_ band: PixelBuffer) throws(TexelError) -> [LevelStrip] {
        var complete: [LevelStrip] = []
        for y in 0..<band.height {
            try band.withRaster { raster throws(TexelError) in
                try push(raster.pixels(y), &complete)
            }
        }
        return complete
    }

    private mutating func push(
        _ row: UnsafePointer<UInt32>, _ complete: inout [LevelStrip]
    ) throws(TexelError) {
        let width = sizes[0].width
        let start = slot(ofLevel: 0)
        try strips[0].append(to: &complete) { $0.update(from: row, count: width) }
        guard sizes.count > 1 else { return }
        samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            SampleRow.widen(row, to: base + start, count: width, isOpaque: alphaMode == .opaque)
        }
        for level in 1..<sizes.count {
            let (above, isLast) = (strips[level - 1].rowCount, strips[level - 1].rowCount == sizes[level - 1].height)
            guard above.isMultiple(of: 2) || isLast else { return }
            try makeRow(ofLevel: level, &complete)
        }
    }

    /// Makes the next row of a level from the last two rows of the one before it.
    private mutating func makeRow(
        ofLevel level: Int, _ complete: inout [LevelStrip]
    ) throws(TexelError) {
        let (source, target) = (sizes[level - 1].width, sizes[level].width)
        let (upper, isOpaque) = (offsets[level - 1], alphaMode == .opaque)
        let rowCount = strips[level - 1].rowCount
        let lower = rowCount.isMultiple(of: 2) ? upper + 4 * source : upper
        let rowWeights: SampleRow.Weights =
            rowCount < sizes[level - 1].height ? (1, 1) : weights(ofLevel: level - 1, \.height)
        let columnWeights = weights(ofLevel: level - 1, \.width)
        let start = slot(ofLevel: level)
        samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            SampleRow.average(
                base + upper, base + lower, count: source, columnWeights: columnWeights, rowWeights: rowWeights,
                to: base + start)
        }
        let samples = samples
        try strips[level].append(to: &complete) { pixels in
            samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                SampleRow.narrow(base + start, to: pixels, count: target, isOpaque: isOpaque)
            }
        }
    }

    /// The weights of the last two columns or rows of a level: how many of the image they stand for. If their number is
    /// odd, the last one stands alone.
    private func weights(ofLevel level: Int, _ side: KeyPath<PixelSize, Int>) -> SampleRow.Weights {
        let count = sizes[level][keyPath: side]
        guard count.isMultiple(of: 2) else { return (1, 0) }
        return (Double(1 << level), Double(sizes[0][keyPath: side] - (count - 1) << level))
    }

    /// Where the next row of a level is stored.
    private func slot(ofLevel level: Int) -> Int {
        offsets[level] + (strips[level].rowCount.isMultiple(of: 2) ? 0 : 4 * sizes[level].width)
    }
}
