package import TexelPixels

/// Options of a format whose encoder takes planes.
package protocol PlanarOptions: FormatOptions {
    /// Whether the planes of a file can be encoded without becoming pixels.
    func acceptsPlanes(of info: ImageInfo) -> Bool

    /// Returns an encoder of planes.
    func planeEncoder(_ context: EncodingContext) -> any PlaneEncoder
}

/// Encodes an image from luma and chroma planes.
package protocol PlaneEncoder {
    /// The number of luma samples per chroma sample in each direction.
    var chromaFactors: (horizontal: Int, vertical: Int) { get }

    /// Whether encoding can begin only with the whole image in memory.
    var needsWholeImage: Bool { get }

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
    func encode(_ planes: consuming [Plane], colorSpace: ColorSpace) throws(CodecError) -> [UInt8]

    /// Begins a file whose planes are written row by row. Not if ``needsWholeImage`` is set.
    ///
    /// - Parameter size: the size of the luma plane.
    func writer(_ size: PixelSize, isGray: Bool, colorSpace: ColorSpace) throws(CodecError) -> any PlaneWriter
}

extension PlaneEncoder {
    /// Whether the chroma planes are left out because the image has no colour.
    package func isWrittenGray(_ planes: [Plane], _ colorSpace: ColorSpace) -> Bool {
        writesGray(colorSpace) && planes.dropFirst().allSatisfy { $0.consists(of: 128) }
    }

    /// Returns the number of block rows of an image: of rows that ``PlaneWriter`` writes together.
    package func blockRowCount(of planes: [Plane]) -> Int {
        guard let luma = planes.first else { return 0 }
        let height = blockHeights(count: planes.count)[0]
        return (luma.height + height - 1) / height
    }
}

/// Writes one file from planes, block row by block row.
package protocol PlaneWriter: AnyObject {
    /// Writes the next block row: from each plane the number of rows that ``PlaneEncoder/blockHeights(count:)`` returns.
    ///
    /// - Parameters:
    ///   - blockRow: the index of the block row.
    ///   - planes: as wide as whole blocks; samples to the right of the image are overwritten.
    ///   - rowCounts: the number of rows in each plane.
    func write(blockRow: Int, of planes: [Plane], rowCounts: [Int]) throws(CodecError)

    /// Ends the file and returns its bytes.
    func finish() throws(CodecError) -> [UInt8]
}
