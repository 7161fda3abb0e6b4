package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Makes a rectangle of four corners of the image, as of a photographed page or screen.
    ///
    /// - Parameters:
    ///   - corners: the corners of a convex quadrilateral; the parts of it outside of the image get the background.
    ///   - size: the size of the result; that of the quadrilateral's longer sides if it is `nil`.
    ///   - filter: the resampling filter, widened where the image is reduced.
    public static func perspective(
        _ corners: Quadrilateral, size: PixelSize? = nil, filter: ResamplingFilter = .lanczos3
    ) -> PixelOperation {
        PixelOperation(PerspectiveOperation(corners: corners, size: size, filter: filter))
    }
}

/// Makes a rectangle of four corners of the image.
package struct PerspectiveOperation: OperationDescription {
    package static let name = "perspective"

    package let corners: Quadrilateral
    package let size: PixelSize?
    package let filter: ResamplingFilter

    package var usesBackground: Bool { true }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        let limit = Quadrilateral.largestCoordinate
        for corner in corners.corners {
            try corner.x.checked("the x of a corner", in: -limit...limit)
            try corner.y.checked("the y of a corner", in: -limit...limit)
        }
        if let canvas = self.size, !canvas.isPositive { throw .invalidSize(canvas) }
        let canvas = self.size ?? corners.naturalSize
        guard canvas.pixelCount != nil else { throw .resultTooLarge }
        guard corners.isConvex,
            let warp = Warp(corners, of: size, canvas: canvas, filter: filter, background: background)
        else {
            throw .invalidParameter(
                "the list of corners",
                value: corners.corners.map { "(\($0.x.short), \($0.y.short))" }.joined(separator: " "),
                allowed: "a convex quadrilateral, in order around it")
        }
        let (width, height) = (Double(size.width), Double(size.height))
        let whole = Quadrilateral(
            topLeft: PixelPoint(x: 0, y: 0), topRight: PixelPoint(x: width, y: 0),
            bottomRight: PixelPoint(x: width, y: height), bottomLeft: PixelPoint(x: 0, y: height))
        return corners == whole && canvas == size ? [] : [WarpStep(warp, summary: "perspective to \(canvas)")]
    }
}
