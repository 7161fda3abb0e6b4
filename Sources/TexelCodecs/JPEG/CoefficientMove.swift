package import TexelPixels

/// A crop, then a turn or a mirror image: what can be done to a JPEG by moving its coefficients.
package struct CoefficientMove: Sendable, Hashable {
    /// Of the stored picture.
    package var rectangle: PixelRectangle
    package var orientation: Orientation

    package init(_ rectangle: PixelRectangle, _ orientation: Orientation) {
        self.rectangle = rectangle
        self.orientation = orientation
    }

    /// The size of the result.
    package var size: PixelSize { orientation.applied(to: rectangle.size) }

    /// An edge that does not lie between two blocks but would have to.
    package struct UnalignedEdge: Sendable, Hashable {
        package enum Side: String, Sendable { case left, right, top, bottom }
        package var side: Side
        /// Where it lies in the stored picture, in pixels.
        package var position: Int
        /// To what it would have to be aligned, in pixels.
        package var multiple: Int
    }

    /// Whether the stored columns, and the stored rows, come in reverse order.
    private var mirrors: (columns: Bool, rows: Bool) {
        orientation.transposes
            ? (orientation.mirrorsY, orientation.mirrorsX) : (orientation.mirrorsX, orientation.mirrorsY)
    }

    /// The first edge that keeps coefficients from being moved, for a picture whose blocks lie on `grid`.
    ///
    /// New rows of blocks begin at the edge that comes first in the result: that is the near edge of a side that keeps
    /// its direction, the far one of a side that is mirrored. What lies beyond the other edge is cut off by the size
    /// that the new file declares.
    package func unalignedEdge(on grid: PixelSize) -> UnalignedEdge? {
        let (mirrorsColumns, mirrorsRows) = mirrors
        let across =
            mirrorsColumns
            ? UnalignedEdge(side: .right, position: rectangle.x + rectangle.width, multiple: grid.width)
            : UnalignedEdge(side: .left, position: rectangle.x, multiple: grid.width)
        let down =
            mirrorsRows
            ? UnalignedEdge(side: .bottom, position: rectangle.y + rectangle.height, multiple: grid.height)
            : UnalignedEdge(side: .top, position: rectangle.y, multiple: grid.height)
        return [across, down].first { $0.position % $0.multiple != 0 }
    }

    /// The move without the blocks that its unaligned edges divide; `nil` if nothing is left of the image.
    package func trimmed(to grid: PixelSize) -> CoefficientMove? {
        /// The aligned part of a side.
        func aligned(_ start: Int, _ length: Int, _ multiple: Int, isMirrored: Bool) -> (start: Int, length: Int) {
            let end = start + length
            if isMirrored { return (start, end / multiple * multiple - start) }
            let first = (start + multiple - 1) / multiple * multiple
            return (first, end - first)
        }
        let columns = aligned(rectangle.x, rectangle.width, grid.width, isMirrored: mirrors.columns)
        let rows = aligned(rectangle.y, rectangle.height, grid.height, isMirrored: mirrors.rows)
        guard columns.length > 0, rows.length > 0 else { return nil }
        let kept = PixelRectangle(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
        return CoefficientMove(kept, orientation)
    }
}
