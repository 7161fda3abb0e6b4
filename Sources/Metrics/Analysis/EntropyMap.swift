import CPixelKernels
import PlatformLibc
import TexelCore
import TexelPixels

/// How often luma has values in each cell of an image, to find the part with the largest entropy.
///
/// Fully transparent pixels have no colour and do not count. The entropy is that of C. E. Shannon, "A mathematical
/// theory of communication", 1948, of luma in 64 steps. Parts are tried at 17 positions on each axis, the one nearest
/// to the centre of the image first. A cell belongs to a part if its centre does.
final class EntropyMap {
    private static let steps = 64
    private static let positions = 17

    private let grid: CellGrid
    private let part: PixelSize
    private let shape: RasterShape
    private let row: StraightRow
    private let luma: PixelStorage
    /// For each corner of cells, the counts of all cells on the left and above.
    private var counts: [Int]

    init(part: PixelSize, for shape: RasterShape) throws(TexelError) {
        grid = CellGrid(shape.size)
        self.part = part
        self.shape = shape
        row = try StraightRow(for: shape)
        luma = try PixelStorage(byteCount: shape.size.width, zeroed: false)
        counts = [Int](repeating: 0, count: (grid.size.width + 1) * (grid.size.height + 1) * Self.steps)
    }

    func rectangle(in source: Raster) -> PixelRectangle {
        count(source)
        let (freeWidth, freeHeight) = (grid.image.width - part.width, grid.image.height - part.height)
        let middle = Self.positions / 2
        var best = (entropy: -1, distance: 0, x: 0, y: 0)
        for down in freeHeight == 0 ? middle..<(middle + 1) : 0..<Self.positions {
            for across in freeWidth == 0 ? middle..<(middle + 1) : 0..<Self.positions {
                let (x, y) = (freeWidth * across / (Self.positions - 1), freeHeight * down / (Self.positions - 1))
                let (right, below) = (across - middle, down - middle)
                let distance = right * right + below * below
                let entropy = entropy(x, y)
                if entropy > best.entropy || entropy == best.entropy && distance < best.distance {
                    best = (entropy, distance, x, y)
                }
            }
        }
        return PixelRectangle(x: best.x, y: best.y, width: part.width, height: part.height)
    }

    private func index(_ x: Int, _ y: Int) -> Int { (y * (grid.size.width + 1) + x) * Self.steps }

    private func count(_ source: Raster) {
        let kernels = texel_kernels_in_use().pointee
        let luma = luma.base.assumingMemoryBound(to: UInt8.self)
        let countsAll = shape.alphaMode == .opaque
        counts.withUnsafeMutableBufferPointer { counts in
            counts.update(repeating: 0)
            for y in 0..<grid.size.height {
                for pixelRow in grid.rows(y) {
                    let pixels = row.pixels(pixelRow, of: source)
                    kernels.luma_row(luma, pixels, grid.image.width)
                    for x in 0..<grid.size.width {
                        let cell = index(x + 1, y + 1)
                        for column in grid.columns(x) where countsAll || pixels[column * 4 + 3] != 0 {
                            counts[cell + Int(luma[column]) / 4] += 1
                        }
                    }
                }
                for x in 0..<grid.size.width {
                    let (cell, left) = (index(x + 1, y + 1), index(x, y + 1))
                    let (above, both) = (index(x + 1, y), index(x, y))
                    for step in 0..<Self.steps {
                        counts[cell + step] += counts[left + step] + counts[above + step] - counts[both + step]
                    }
                }
            }
        }
    }

    /// Returns the cells whose centres are in a range of pixels: at least one.
    private static func cells(_ offset: Int, _ part: Int, of count: Int, in side: Int) -> Range<Int> {
        // The centre of cell i is at (i + 1/2) × side / count.
        func first(_ pixel: Int) -> Int { max(0, (2 * pixel * count + side - 1) / (2 * side)) }
        let lower = min(first(offset), count - 1)
        return lower..<max(lower + 1, min(first(offset + part), count))
    }

    /// Returns the entropy of a part in 1/4096 bit.
    private func entropy(_ x: Int, _ y: Int) -> Int {
        let columns = Self.cells(x, part.width, of: grid.size.width, in: grid.image.width)
        let rows = Self.cells(y, part.height, of: grid.size.height, in: grid.image.height)
        let corners = (
            index(columns.lowerBound, rows.lowerBound), index(columns.upperBound, rows.lowerBound),
            index(columns.lowerBound, rows.upperBound), index(columns.upperBound, rows.upperBound)
        )
        var (total, sum) = (0, 0.0)
        for step in 0..<Self.steps {
            let count =
                counts[corners.3 + step] - counts[corners.2 + step] - counts[corners.1 + step]
                + counts[corners.0 + step]
            guard count > 0 else { continue }
            total += count
            sum += Double(count) * log2(Double(count))
        }
        guard total > 0 else { return 0 }
        return Int(((log2(Double(total)) - sum / Double(total)) * 4096).rounded())
    }
}
