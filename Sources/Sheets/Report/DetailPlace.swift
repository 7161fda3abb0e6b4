import TexelPixels

/// Finds the region where two images of the same size differ most.
enum DetailPlace {
    /// Differences are summed in blocks of this side.
    private static let blockSide = 16

    /// Returns the square, clipped to the image, with the greatest sum of squared differences. The first one of equal
    /// ones, so the top left corner of identical images. Both images must be premultiplied.
    static func greatestDifference(_ first: PixelBuffer, _ second: PixelBuffer, side: Int) -> PixelRectangle {
        let columns = (first.width + blockSide - 1) / blockSide
        let rows = (first.height + blockSide - 1) / blockSide
        // Summed-area table: the entry at (x + 1, y + 1) is the sum of all blocks up to and including (x, y).
        var sums = [UInt64](repeating: 0, count: (columns + 1) * (rows + 1))
        first.withUnsafePixels { a in
            second.withUnsafePixels { b in
                for y in 0..<first.height {
                    let sumRow = (y / blockSide + 1) * (columns + 1) + 1
                    let (rowA, rowB) = (y * first.pixelsPerRow, y * second.pixelsPerRow)
                    for x in 0..<first.width where a[rowA + x] != b[rowB + x] {
                        sums[sumRow + x / blockSide] += difference(a[rowA + x], b[rowB + x])
                    }
                }
            }
        }
        for y in 1...rows {
            var before: UInt64 = 0
            for x in 1...columns {
                let index = y * (columns + 1) + x
                before += sums[index]
                sums[index] = before + sums[index - columns - 1]
            }
        }
        let (across, down) = (min(max(side / blockSide, 1), columns), min(max(side / blockSide, 1), rows))
        var best: (sum: UInt64, x: Int, y: Int) = (0, 0, 0)
        for y in 0...(rows - down) {
            for x in 0...(columns - across) {
                let (top, bottom) = (y * (columns + 1) + x, (y + down) * (columns + 1) + x)
                // This order avoids unsigned underflow.
                let sum = sums[bottom + across] + sums[top] - sums[bottom] - sums[top + across]
                if sum > best.sum { best = (sum, x, y) }
            }
        }
        let size = PixelSize(width: min(side, first.width), height: min(side, first.height))
        return PixelRectangle(
            x: min(best.x * blockSide, first.width - size.width),
            y: min(best.y * blockSide, first.height - size.height),
            width: size.width, height: size.height)
    }

    private static func difference(_ first: UInt32, _ second: UInt32) -> UInt64 {
        var sum: UInt64 = 0
        for shift: UInt32 in [0, 8, 16, 24] {
            let distance = Int64((first >> shift) & 255) - Int64((second >> shift) & 255)
            sum += UInt64(distance * distance)
        }
        return sum
    }
}
