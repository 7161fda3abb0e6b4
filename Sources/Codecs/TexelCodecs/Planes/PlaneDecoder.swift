package import TexelCore
package import TexelPixels

/// Decodes an image to its luma and chroma planes: without colour conversion, and with chroma as subsampled in the
/// file.
///
/// After a failure the decoder must not be used again.
package protocol PlaneDecoder: AnyObject {
    /// The layout of luma and, in colour files, of both chroma planes.
    var layouts: [PlaneLayout] { get }
    var colorSpace: ColorSpace { get }

    /// Reads as many bands as fit; returns false if there were none left.
    func read(into band: PlaneBand) throws(TexelError) -> Bool

    /// Reads what follows the last row, and returns the metadata and the first of the accepted warnings.
    func finish() throws(TexelError) -> DecoderResult
}

extension PlaneDecoder {
    /// Allocates memory for `count` bands of every plane.
    package func makeBand(_ count: Int) throws(TexelError) -> PlaneBand {
        return PlaneBand(
            try layouts.map { layout throws(TexelError) in
                try Plane(PixelSize(width: layout.bytesPerRow, height: layout.bandHeight * count))
            }, count)
    }
}

/// The size and scale of a decoded plane.
package struct PlaneLayout: Sendable, Hashable {
    /// The size in samples.
    package var size: PixelSize
    /// The number of samples in this plane per pixel of a stored row, before shrinking.
    package var horizontalDensity: Double
    /// The number of samples in this plane per pixel of a stored column, before shrinking.
    package var verticalDensity: Double
    /// The number of rows in a band.
    package var bandHeight: Int
    /// The number of bytes that the decoder writes per row: whole blocks.
    package var bytesPerRow: Int

    package init(
        size: PixelSize, horizontalDensity: Double, verticalDensity: Double, bandHeight: Int, bytesPerRow: Int
    ) {
        self.size = size
        self.horizontalDensity = horizontalDensity
        self.verticalDensity = verticalDensity
        self.bandHeight = bandHeight
        self.bytesPerRow = bytesPerRow
    }

    /// The number of bands in the plane.
    package var bandCount: Int { (size.height + bandHeight - 1) / bandHeight }
}

/// A band of consecutive rows of every decoded plane.
package final class PlaneBand {
    /// The planes. Their width is a whole number of blocks, so the end of a row may be outside the image.
    package let planes: [Plane]
    /// The number of valid rows in each plane.
    package var rowCounts: [Int]
    /// The number of the decoder's bands that fit.
    package let capacity: Int

    fileprivate init(_ planes: [Plane], _ capacity: Int) {
        self.planes = planes
        self.capacity = capacity
        rowCounts = planes.map { _ in 0 }
    }
}
