/// Rows of a picture's planes in memory that are to be written: all of them, or those of a band.
///
/// Holds no memory, as ``YUVRows``. Samples need no alignment.
public struct MutableYUVRows {
    /// The first sample of row `firstRow`.
    public var y: UnsafeMutableRawPointer
    public var yBytesPerRow: Int
    public var firstRow: Int
    /// The first sample of U of chroma row `firstChromaRow`, followed by V's where U and V alternate. Unused in grey
    /// pictures.
    public var u: UnsafeMutableRawPointer?
    /// The same of V. Unused where U and V alternate.
    public var v: UnsafeMutableRawPointer?
    /// Of the plane of U, and of V.
    public var chromaBytesPerRow: Int
    public var firstChromaRow: Int

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

    /// A whole picture, its planes one after another.
    ///
    /// - Parameters:
    ///   - base: the first of `format.byteCount(of: size)` bytes.
    ///   - size: one that ``YUVFormat/byteCount(of:)`` accepts.
    public init(base: UnsafeMutableRawPointer, _ format: YUVFormat, size: PixelSize) {
        func plane(_ index: Int) -> UnsafeMutableRawPointer? {
            index < format.planeCount ? base + format.planeOffset(index, of: size) : nil
        }
        self.init(
            y: base, yBytesPerRow: format.bytesPerRow(0, of: size), u: plane(1), v: plane(2),
            chromaBytesPerRow: format.bytesPerRow(1, of: size))
    }

    /// Row `index` of the picture's brightness.
    func luma(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (y + (index - firstRow) * yBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }

    /// Row `index` of one of the chroma planes.
    func chroma(_ plane: UnsafeMutableRawPointer, _ index: Int) -> UnsafeMutablePointer<UInt8> {
        (plane + (index - firstChromaRow) * chromaBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
}
