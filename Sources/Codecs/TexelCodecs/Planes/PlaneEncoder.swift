package import TexelCore
package import TexelPixels

/// Options of a format whose encoder takes planes.
package protocol PlanarOptions: FormatOptions {
    /// Whether the planes of a file can be encoded without becoming pixels.
    func acceptsPlanes(of info: ImageInfo) -> Bool

    /// Whether encoding an image of this size can begin only with all of it in memory.
    func needsWholeImage(_ size: PixelSize) -> Bool

    /// Returns an encoder of planes.
    func planeEncoder(_ context: EncodingContext) -> any PlaneEncoder
}

/// Encodes an image from luma and chroma planes.
package protocol PlaneEncoder {
    /// The number of luma samples per chroma sample in each direction.
    var chromaFactors: (horizontal: Int, vertical: Int) { get }

    /// Whether an image without colour is written as greyscale.
    func writesGray(_ colorSpace: ColorSpace) -> Bool

    /// Returns the number of rows of each plane that are written together.
    ///
    /// - Parameter count: the number of planes.
    func blockHeights(count: Int) -> [Int]

    /// Encodes an image from its planes.
    ///
    /// - Parameter planes: luma and, unless the image is greyscale, both chroma planes, subsampled by
    ///   ``chromaFactors`` and rounded up.
    func encode(_ planes: consuming [Plane], colorSpace: ColorSpace) throws(TexelError) -> EncodedBytes

    /// Begins a file whose planes are written row by row. Not if the options need the whole image.
    ///
    /// - Parameter size: the size of the luma plane.
    func writer(_ size: PixelSize, isGray: Bool, colorSpace: ColorSpace) throws(TexelError) -> any PlaneWriter
}

extension PlaneEncoder {
    /// Whether the chroma planes are left out because the image has no colour.
    package func isWrittenGray(_ planes: [Plane], _ colorSpace: ColorSpace) -> Bool {
        writesGray(colorSpace) && planes.dropFirst().allSatisfy { $0.consists(of: 128) }
    }

    /// Returns the number of block rows of an image: of rows that ``PlaneWriter`` writes together.
    ///
    /// - Parameter heights: of the planes.
    package func blockRowCount(heights: [Int]) -> Int {
        guard let luma = heights.first else { return 0 }
        let height = blockHeights(count: heights.count)[0]
        return (luma + height - 1) / height
    }

    /// Returns the rows of each plane in a block row.
    ///
    /// - Parameter heights: of the planes.
    package func rows(ofBlockRow index: Int, heights: [Int]) -> [Range<Int>] {
        zip(blockHeights(count: heights.count), heights).map { blockHeight, height in
            index * blockHeight..<min((index + 1) * blockHeight, height)
        }
    }
}

/// Writes one file from planes, block row by block row.
package protocol PlaneWriter: AnyObject {
    /// Writes the next block row: as many rows as ``PlaneEncoder/blockHeights(count:)`` returns, or fewer at the end.
    ///
    /// - Parameters:
    ///   - rows: the rows of each plane.
    ///   - planes: as wide as whole blocks; samples to the right of the image are overwritten.
    func write(_ rows: [Range<Int>], of planes: [Plane]) throws(TexelError)

    /// Ends the file and returns its bytes.
    func finish() throws(TexelError) -> EncodedBytes
}
