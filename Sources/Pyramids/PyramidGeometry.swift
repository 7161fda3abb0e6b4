public import TexelPixels

/// The levels and tiles of an image pyramid. Each level has half the size of the one before it, rounded up, and is cut
/// into square tiles that may overlap.
public struct PyramidGeometry: Sendable, Hashable {
    /// Where the levels end.
    public enum Depth: Sendable, Hashable {
        /// The last level is one pixel.
        case onePixel
        /// The last level is the first one that fits in a tile.
        case oneTile
    }

    /// The side of a tile without its overlap, in pixels.
    public let tileSize: Int
    /// The pixels that a tile shares with each neighbour, on its side of the border.
    public let overlap: Int
    /// The sizes of the levels, beginning with the whole image.
    public let levels: [PixelSize]

    /// Creates the geometry of an image's pyramid.
    ///
    /// - Parameters:
    ///   - size: the size of the image; at least 1×1.
    ///   - tileSize: the side of a tile without its overlap; at least 1.
    ///   - overlap: the pixels that a tile shares with each neighbour; less than the tile size.
    ///   - depth: where the levels end.
    public init(of size: PixelSize, tileSize: Int, overlap: Int, depth: Depth) {
        self.tileSize = tileSize
        self.overlap = overlap
        let last = depth == .onePixel ? 1 : tileSize
        var levels = [size]
        var size = size
        while max(size.width, size.height) > last {
            size = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
            levels.append(size)
        }
        self.levels = levels
    }

    /// The number of tiles of a level, across and down.
    public func grid(ofLevel level: Int) -> PixelSize {
        func count(_ length: Int) -> Int { (length + tileSize - 1) / tileSize }
        return PixelSize(width: count(levels[level].width), height: count(levels[level].height))
    }

    /// The number of tiles of all levels.
    public var tileCount: Int {
        levels.indices.reduce(0) { $0 + grid(ofLevel: $1).width * grid(ofLevel: $1).height }
    }

    /// The part of a level that a tile shows, with its overlap.
    ///
    /// - Parameters:
    ///   - column: from 0, less than the width of the grid.
    ///   - row: from 0, less than the height of the grid.
    ///   - level: the index of the level.
    public func rectangle(column: Int, row: Int, level: Int) -> PixelRectangle {
        let (x, y) = (columns(column, level: level), rows(row, level: level))
        return PixelRectangle(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
    }

    /// The columns of pixels that the tiles of a column show.
    func columns(_ column: Int, level: Int) -> Range<Int> { range(column, of: levels[level].width) }

    /// The rows of pixels that the tiles of a row show.
    func rows(_ row: Int, level: Int) -> Range<Int> { range(row, of: levels[level].height) }

    private func range(_ index: Int, of length: Int) -> Range<Int> {
        max(0, index * tileSize - overlap)..<min(length, (index + 1) * tileSize + overlap)
    }
}
