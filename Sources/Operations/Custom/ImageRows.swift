public import TexelPixels

/// The rows of an image that an operation of your own may read.
public struct ImageRows: ~Escapable {
    private let raster: Raster
    private let rows: Range<Int>

    /// The size of the whole image.
    public var size: PixelSize { raster.size }

    /// - Parameters:
    ///   - raster: an image that outlives this view.
    ///   - rows: the rows that are valid; at least one.
    @_lifetime(immortal)
    init(_ raster: Raster, _ rows: Range<Int>) {
        self.raster = raster
        self.rows = rows
    }

    /// A row, from 0 at the top. Rows outside the image are the nearest row of the image.
    ///
    /// Traps if the row is further away than the operation's ``RowOperation/rowsAround``.
    public subscript(row: Int) -> Span<UInt32> {
        @_lifetime(copy self)
        get {
            let row = min(max(row, 0), raster.size.height - 1)
            precondition(rows.contains(row), "row \(row) is not among the rows \(rows) that the operation asked for")
            // Each row of a raster has as many pixels as the raster is wide.
            let pixels = UnsafeBufferPointer(start: raster.pixels(row), count: raster.size.width)
            return _overrideLifetime(Span(_unsafeElements: pixels), copying: self)
        }
    }

    /// The pixel in a column and a row. Outside the image it is the nearest pixel of the image.
    ///
    /// Traps as ``subscript(_:)`` does.
    public subscript(column: Int, row: Int) -> UInt32 {
        self[row][min(max(column, 0), raster.size.width - 1)]
    }
}
