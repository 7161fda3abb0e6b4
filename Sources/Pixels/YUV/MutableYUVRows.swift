/// Pointers to rows of an image's planes that are to be written: all rows, or those of a band.
///
/// Does not own the memory; see ``YUVRows``. Samples need no alignment.
public struct MutableYUVRows {
    /// The first luma sample of row `firstRow`.
    public var y: UnsafeMutableRawPointer
    /// The distance between luma rows, in bytes.
    public var yBytesPerRow: Int
    /// The index in the image of the first luma row.
    public var firstRow: Int
    /// The first U sample of chroma row `firstChromaRow`; with interleaved chroma the samples of U and V alternate.
    /// Unused in grey images.
    public var u: UnsafeMutableRawPointer?
    /// The first V sample of chroma row `firstChromaRow`. Unused with interleaved chroma.
    public var v: UnsafeMutableRawPointer?
    /// The distance between chroma rows, in bytes.
    public var chromaBytesPerRow: Int
    /// The index in the image of the first chroma row.
    public var firstChromaRow: Int

    /// Creates rows from pointers to the planes; all rows by default.
    public init(
        y: UnsafeMutableRawPointer, yBytesPerRow: Int, firstRow: Int = 0, u: UnsafeMutableRawPointer? = nil,
        v: UnsafeMutableRawPointer? = nil, chromaBytesPerRow: Int = 0, firstChromaRow: Int = 0
    ) {
        self.y = y
        self.yBytesPerRow = yBytesPerRow
        self.firstRow = firstRow
        self.u = u
        self.v = v
        self.chromaBytesPerRow = chromaBytesPerRow
        self.firstChromaRow = firstChromaRow
    }

    /// Creates rows for a whole image with consecutive planes.
    ///
    /// - Parameters:
    ///   - base: the first of `format.byteCount(of: size)` bytes.
    ///   - format: the format of the planes. A plane of alpha is left out.
    ///   - size: a size that ``YUVFormat/byteCount(of:)`` accepts.
    public init(base: UnsafeMutableRawPointer, _ format: YUVFormat, size: PixelSize) {
        func plane(_ index: Int) -> UnsafeMutableRawPointer? {
            index < format.colorPlaneCount ? base + format.planeOffset(index, of: size) : nil
        }
        self.init(
            y: base, yBytesPerRow: format.bytesPerRow(0, of: size), u: plane(1), v: plane(2),
            chromaBytesPerRow: format.bytesPerRow(1, of: size))
    }

    /// Returns luma row `index` of the image.
    func luma(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (y + (index - firstRow) * yBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns row `index` of a chroma plane.
    func chroma(_ plane: UnsafeMutableRawPointer, _ index: Int) -> UnsafeMutablePointer<UInt8> {
        (plane + (index - firstChromaRow) * chromaBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
}
