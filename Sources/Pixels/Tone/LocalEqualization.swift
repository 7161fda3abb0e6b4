import CPixelKernels
package import TexelCore

/// Contrast-limited adaptive histogram equalisation of luma, prepared for images of one shape. Used by one thread at a
/// time; running it allocates nothing.
///
/// K. Zuiderveld, "Contrast limited adaptive histogram equalization", Graphics Gems IV, 1994, with OpenCV's details:
/// each tile has a curve from the histogram of its luma (ITU-R BT.601), clipped, with what was clipped distributed
/// evenly. A pixel's luma is interpolated between the curves of four tiles, and the difference is added to its
/// channels, which keeps the colour differences. If the tiles do not fit the size, the image is continued by
/// reflection.
package final class LocalEqualization {
    /// The largest number of tiles in a row and in a column.
    package static let largestTileCount = 64

    private let columns: Int
    private let tileRows: Int
    private let tile: PixelSize
    /// The most pixels of a value in a tile.
    private let clipCount: Int
    private let shape: RasterShape
    private let row: StraightRow
    /// The luma of a row, with the columns that are missing on the right.
    private let luma: PixelStorage
    private var histograms: [Int]
    /// The curves of the tiles, 256 bytes each.
    private var curves: [UInt8]
    private let places: [texel_tile_place]

    /// Allocates the memory.
    ///
    /// - Parameters:
    ///   - columns: the number of tiles in a row, 1…``largestTileCount``; the same for `rows`.
    ///   - clipLimit: the steepest slope of a curve; 0 for no limit.
    /// - Throws: `outOfMemory`.
    package init(columns: Int, rows: Int, clipLimit: Double, for shape: RasterShape) throws(TexelError) {
        precondition((1...Self.largestTileCount).contains(columns) && (1...Self.largestTileCount).contains(rows))
        self.columns = columns
        tileRows = rows
        self.shape = shape
        let size = shape.size
        // As in OpenCV, both sides are continued unless both fit.
        let fits = size.width % columns == 0 && size.height % rows == 0
        tile = PixelSize(
            width: fits ? size.width / columns : size.width / columns + 1,
            height: fits ? size.height / rows : size.height / rows + 1)
        let area = tile.width * tile.height
        clipCount = clipLimit == 0 ? area : max(1, Int(min(clipLimit, 256) * Double(area) / 256))
        row = try StraightRow(for: shape)
        luma = try PixelStorage(byteCount: columns * tile.width, zeroed: false)
        histograms = [Int](repeating: 0, count: columns * 256)
        curves = [UInt8](repeating: 0, count: columns * rows * 256)
        let tileWidth = tile.width
        places = (0..<size.width).map { x in
            let (left, right, weight) = Self.place(x, tileWidth, count: columns)
            return texel_tile_place(left: UInt16(left * 256), right: UInt16(right * 256), weight: UInt16(weight))
        }
    }

    /// The tiles between whose centres a pixel is, and the weight of the second one.
    private static func place(_ position: Int, _ tileSide: Int, count: Int) -> (first: Int, second: Int, weight: Int) {
        let one = 1 << Int(texel_tile_weight_bits)
        // In half tiles from the centre of the first one.
        let distance = 2 * position - tileSide
        guard distance >= 0 else { return (0, 0, 0) }
        let first = distance / (2 * tileSide)
        let weight = ((distance - first * 2 * tileSide) * one + tileSide) / (2 * tileSide)
        return (min(first, count - 1), min(first + 1, count - 1), weight)
    }

    /// Finds the curves of an image of the shape.
    package func begin(_ source: Raster) {
        precondition(source.size == shape.size, "the sizes differ")
        for index in 0..<tileRows { setCurves(ofTileRow: index, source) }
    }

    /// Writes rows of the result.
    ///
    /// - Parameters:
    ///   - source: the image that ``begin(_:)`` was called with.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        let kernels = texel_kernels_in_use().pointee
        let width = shape.size.width
        let luma = luma.base.assumingMemoryBound(to: UInt8.self)
        curves.withUnsafeBufferPointer { curves in
            guard let base = curves.baseAddress else { return }
            row.forEach(rows, from: source, to: destination) { y, from, to in
                let (above, below, weight) = Self.place(y, tile.height, count: tileRows)
                kernels.luma_row(luma, from, width)
                kernels.equalize_row(
                    to, from, luma, width, base + above * columns * 256, base + below * columns * 256, places,
                    UInt32(weight))
            }
        }
    }

    private func setCurves(ofTileRow tileRow: Int, _ source: Raster) {
        count(tileRow, source)
        for column in 0..<columns {
            clip(column * 256)
            let area = tile.width * tile.height
            var sum = 0
            for value in 0..<256 {
                sum += histograms[column * 256 + value]
                curves[(tileRow * columns + column) * 256 + value] = UInt8((sum * 510 + area) / (2 * area))
            }
        }
    }

    /// Counts the luma of a row of tiles.
    private func count(_ tileRow: Int, _ source: Raster) {
        let kernels = texel_kernels_in_use().pointee
        let (width, tileWidth) = (shape.size.width, tile.width)
        let luma = luma.base.assumingMemoryBound(to: UInt8.self)
        histograms.withUnsafeMutableBufferPointer { counts in
            counts.update(repeating: 0)
            for y in (tileRow * tile.height)..<((tileRow + 1) * tile.height) {
                kernels.luma_row(luma, row.pixels(Self.reflected(y, shape.size.height), of: source), width)
                for x in width..<max(width, columns * tileWidth) { luma[x] = luma[Self.reflected(x, width)] }
                for column in 0..<columns {
                    for x in (column * tileWidth)..<((column + 1) * tileWidth) {
                        counts[column * 256 + Int(luma[x])] += 1
                    }
                }
            }
        }
    }

    /// Returns the position inside that a position after the end continues; the last sample is not repeated.
    private static func reflected(_ position: Int, _ count: Int) -> Int {
        guard count > 1 else { return 0 }
        let period = 2 * (count - 1)
        let rest = position % period
        return min(rest, period - rest)
    }

    /// Limits the counts of a histogram, and distributes the rest: evenly, then one each at even distances.
    private func clip(_ begin: Int) {
        var excess = 0
        for index in begin..<(begin + 256) where histograms[index] > clipCount {
            excess += histograms[index] - clipCount
            histograms[index] = clipCount
        }
        for index in begin..<(begin + 256) { histograms[index] += excess / 256 }
        let rest = excess % 256
        guard rest > 0 else { return }
        for index in 0..<rest { histograms[begin + index * (256 / rest)] += 1 }
    }
}
