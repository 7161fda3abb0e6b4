/// Pointers to rows of an image's planes: all rows, or a band and the chroma rows that it needs.
///
/// Does not own the memory: the caller keeps the planes alive while this is used. Samples need no alignment.
public struct YUVRows {
    /// The first luma sample of row `firstRow`.
    public var y: UnsafeRawPointer
    /// The distance between luma rows, in bytes.
    public var yBytesPerRow: Int
    /// The index in the image of the first luma row.
    public var firstRow: Int
    /// The first U sample of chroma row `firstChromaRow`; with interleaved chroma the samples of U and V alternate.
    /// Unused in grey images.
    public var u: UnsafeRawPointer?
    /// The first V sample of chroma row `firstChromaRow`. Unused with interleaved chroma.
    public var v: UnsafeRawPointer?
    /// The distance between chroma rows, in bytes.
    public var chromaBytesPerRow: Int
    /// The index in the image of the first chroma row.
    public var firstChromaRow: Int
    /// The first alpha sample of row `firstRow`. Unused in formats without alpha; in others `nil` means opaque.
    public var alpha: UnsafeRawPointer?
    /// The distance between alpha rows, in bytes.
    public var alphaBytesPerRow: Int

    /// Creates rows from pointers to the planes; all rows by default.
    public init(
        y: UnsafeRawPointer, yBytesPerRow: Int, firstRow: Int = 0, u: UnsafeRawPointer? = nil,
        v: UnsafeRawPointer? = nil, chromaBytesPerRow: Int = 0, firstChromaRow: Int = 0,
        alpha: UnsafeRawPointer? = nil, alphaBytesPerRow: Int = 0
    ) {
        self.y = y
        self.yBytesPerRow = yBytesPerRow
        self.firstRow = firstRow
        self.u = u
        self.v = v
        self.chromaBytesPerRow = chromaBytesPerRow
        self.firstChromaRow = firstChromaRow
        self.alpha = alpha
        self.alphaBytesPerRow = alphaBytesPerRow
    }

    /// Creates rows for a whole image with consecutive planes.
    ///
    /// - Parameters:
    ///   - base: the first of `format.byteCount(of: size)` bytes.
    ///   - format: the format of the planes.
    ///   - size: a size that ``YUVFormat/byteCount(of:)`` accepts.
    public init(base: UnsafeRawPointer, _ format: YUVFormat, size: PixelSize) {
        func plane(_ index: Int) -> UnsafeRawPointer { base + format.planeOffset(index, of: size) }
        func chroma(_ index: Int) -> UnsafeRawPointer? { index < format.colorPlaneCount ? plane(index) : nil }
        self.init(
            y: base, yBytesPerRow: format.bytesPerRow(0, of: size), u: chroma(1), v: chroma(2),
            chromaBytesPerRow: format.bytesPerRow(1, of: size), alpha: format.alphaPlane.map(plane),
            alphaBytesPerRow: format.bytesPerRow(0, of: size))
    }

    /// Returns luma row `index` of the image.
    func luma(_ index: Int) -> UnsafePointer<UInt8> {
        (y + (index - firstRow) * yBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns row `index` of a chroma plane.
    func chroma(_ plane: UnsafeRawPointer, _ index: Int) -> UnsafePointer<UInt8> {
        (plane + (index - firstChromaRow) * chromaBytesPerRow).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns alpha row `index` of the image; `nil` if there is no alpha.
    func alpha(_ index: Int) -> UnsafePointer<UInt8>? {
        alpha.map { ($0 + (index - firstRow) * alphaBytesPerRow).assumingMemoryBound(to: UInt8.self) }
    }
}
