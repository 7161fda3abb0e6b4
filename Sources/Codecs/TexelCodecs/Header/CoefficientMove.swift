package import TexelPixels

/// A crop followed by a turn or a flip: the operations that need only an image's coefficients, no decoding.
package struct CoefficientMove: Sendable, Hashable {
    /// The crop, in the stored image.
    package var rectangle: PixelRectangle
    /// The turn or flip after the crop.
    package var orientation: Orientation

    package init(_ rectangle: PixelRectangle, _ orientation: Orientation) {
        self.rectangle = rectangle
        self.orientation = orientation
    }

    /// The size of the result.
    package var size: PixelSize { orientation.applied(to: rectangle.size) }

    /// An edge of the crop that has to be on the block grid and is not.
    package struct UnalignedEdge: Sendable, Hashable {
        package enum Side: String, Sendable { case left, right, top, bottom }
        /// The edge, in the stored image.
        package var side: Side
        /// The position in the stored image, in pixels.
        package var position: Int
        /// The required alignment, in pixels.
        package var multiple: Int
    }

    /// Whether the order of the stored columns and rows is reversed.
    private var mirrors: (columns: Bool, rows: Bool) {
        orientation.transposes
            ? (orientation.mirrorsY, orientation.mirrorsX) : (orientation.mirrorsX, orientation.mirrorsY)
    }

    /// Returns the first edge that prevents the move; `nil` if there is none.
    ///
    /// The edge that becomes the left or top edge of the result must be on the block grid: the near edge, or the far
    /// edge of a mirrored axis. The other edge may be anywhere: the size in the new file's header cuts off the rest.
    ///
    /// - Parameter grid: the block grid of the image, in pixels.
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

    /// Returns the move without the blocks that its unaligned edges divide; `nil` if nothing is left of the image.
    package func trimmed(to grid: PixelSize) -> CoefficientMove? {
        /// Returns the aligned part of an axis.
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
