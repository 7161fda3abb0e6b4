import TexelCore
import TexelPixels

/// The rows of a level that one row of tiles shows.
struct LevelStrip: Sendable {
    /// The index of the level.
    let level: Int
    /// The row of tiles.
    let row: Int
    /// All columns of the level, and the rows of the tiles with their overlap.
    let image: PixelBuffer
}

/// Collects the rows of one level into strips. Rows in the overlap of two strips are copied from one to the next.
struct LevelStrips: Sendable {
    private let geometry: PyramidGeometry
    private let level: Int
    private let alphaMode: AlphaMode
    private let colorSpace: ColorSpace
    /// The strip that is being filled; `nil` before the first row and after the last one.
    private var image: PixelBuffer?
    /// The row of tiles that `image` is for.
    private var tileRow = 0
    /// The number of rows that were written.
    private(set) var rowCount = 0

    init(of geometry: PyramidGeometry, level: Int, alphaMode: AlphaMode, colorSpace: ColorSpace) {
        self.geometry = geometry
        self.level = level
        self.alphaMode = alphaMode
        self.colorSpace = colorSpace
    }

    /// Writes the next row of the level.
    ///
    /// - Parameters:
    ///   - strips: gets the strips that the row completes; usually none.
    ///   - write: writes all pixels of the row.
    /// - Throws: `outOfMemory`.
    mutating func append(
        to strips: inout [LevelStrip], _ write: (UnsafeMutablePointer<UInt32>) -> Void
    ) throws(TexelError) {
        if image == nil { image = try emptyStrip(after: nil) }
        let row = rowCount - geometry.rows(tileRow, level: level).lowerBound
        image?.updateRaster(to: alphaMode) { write($0.pixels(row)) }
        rowCount += 1
        // The last rows of a level may complete two strips, if the last strip is lower than the overlap.
        while let complete = image, rowCount == geometry.rows(tileRow, level: level).upperBound {
            strips.append(LevelStrip(level: level, row: tileRow, image: complete))
            tileRow += 1
            image = tileRow < geometry.grid(ofLevel: level).height ? try emptyStrip(after: complete) : nil
        }
    }

    /// Makes the next strip, with the rows that it shares with the one before it.
    private func emptyStrip(after previous: PixelBuffer?) throws(TexelError) -> PixelBuffer {
        let rows = geometry.rows(tileRow, level: level)
        let size = PixelSize(width: geometry.levels[level].width, height: rows.count)
        var strip = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        guard let previous, rowCount > rows.lowerBound else { return strip }
        let shared = PixelRectangle(x: 0, y: 0, width: size.width, height: rowCount - rows.lowerBound)
        let first = PixelRectangle(
            x: 0, y: previous.height - shared.height, width: size.width, height: shared.height)
        strip.updateRaster(to: alphaMode) { strip in
            previous.withRaster { strip.cropped(to: shared).copyRows(from: $0.cropped(to: first)) }
        }
        return strip
    }
}
