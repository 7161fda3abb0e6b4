import TexelPixels

/// A division of an image into at most 32 × 32 cells of nearly the same size.
struct CellGrid {
    /// The most cells in a row and in a column.
    static let limit = 32

    let image: PixelSize
    /// The number of cells.
    let size: PixelSize

    init(_ image: PixelSize) {
        self.image = image
        size = PixelSize(width: min(Self.limit, image.width), height: min(Self.limit, image.height))
    }

    var cellCount: Int { size.width * size.height }

    /// The columns of pixels of a column of cells.
    func columns(_ x: Int) -> Range<Int> { (x * image.width / size.width)..<((x + 1) * image.width / size.width) }

    /// The rows of pixels of a row of cells.
    func rows(_ y: Int) -> Range<Int> { (y * image.height / size.height)..<((y + 1) * image.height / size.height) }

    /// Returns the offset at which a part of an image has its centre at that of a cell, as far as it stays inside.
    ///
    /// - Parameters:
    ///   - cell: the cell's number on the axis.
    ///   - count: the number of cells on the axis.
    static func offset(centring part: Int, at cell: Int, of count: Int, in side: Int) -> Int {
        min(max((2 * cell + 1) * side / (2 * count) - part / 2, 0), side - part)
    }
}
