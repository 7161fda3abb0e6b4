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

    /// The first edge that keeps coefficients from being moved, for a picture whose blocks lie on `grid`.
    ///
    /// New rows of blocks begin at the edge that comes first in the result: that is the near edge of a side that keeps
    /// its direction, the far one of a side that is mirrored. What lies beyond the other edge is cut off by the size
    /// that the new file declares.
    package func unalignedEdge(on grid: PixelSize) -> UnalignedEdge? {
        let mirrorsColumns = orientation.transposes ? orientation.mirrorsY : orientation.mirrorsX
        let mirrorsRows = orientation.transposes ? orientation.mirrorsX : orientation.mirrorsY
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
}
