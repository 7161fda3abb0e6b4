/// Pointers to rows of an image's planes: all rows, or a band and the chroma rows that belong to it.
///
/// Does not own the memory: the caller keeps the planes alive while this is used. Samples need no alignment.
/// ``YUVRows`` are read from, ``MutableYUVRows`` are written to.
public struct YUVPlaneRows<Pointer: Strideable> where Pointer.Stride == Int {
    /// The first luma sample of row `firstRow`.
    public var y: Pointer
    /// The distance between luma rows, in bytes.
    public var yBytesPerRow: Int
    /// The index in the image of the first luma row.
    public var firstRow: Int
    /// The first U sample of chroma row `firstChromaRow`; with interleaved chroma the samples of U and V alternate.
    /// Unused in grey images.
    public var u: Pointer?
    /// The first V sample of chroma row `firstChromaRow`. Unused with interleaved chroma.
    public var v: Pointer?
    /// The distance between chroma rows, in bytes.
    public var chromaBytesPerRow: Int
    /// The index in the image of the first chroma row.
    public var firstChromaRow: Int
    /// The first alpha sample of row `firstRow`. Unused in formats without alpha, and where rows are written; otherwise
    /// `nil` means opaque.
    public var alpha: Pointer?
    /// The distance between alpha rows, in bytes.
    public var alphaBytesPerRow: Int

    /// Creates rows from pointers to the planes; all rows by default.
    public init(
        y: Pointer, yBytesPerRow: Int, firstRow: Int = 0, u: Pointer? = nil, v: Pointer? = nil,
        chromaBytesPerRow: Int = 0, firstChromaRow: Int = 0, alpha: Pointer? = nil, alphaBytesPerRow: Int = 0
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
    public init(base: Pointer, _ format: YUVFormat, size: PixelSize) {
        func plane(_ index: Int) -> Pointer { base.advanced(by: format.planeOffset(index, of: size)) }
        func chroma(_ index: Int) -> Pointer? { index < format.colorPlaneCount ? plane(index) : nil }
        self.init(
            y: base, yBytesPerRow: format.bytesPerRow(0, of: size), u: chroma(1), v: chroma(2),
            chromaBytesPerRow: format.bytesPerRow(1, of: size), alpha: format.alphaPlane.map(plane),
            alphaBytesPerRow: format.bytesPerRow(0, of: size))
    }

    /// Returns luma row `index` of the image.
    func luma(_ index: Int) -> Pointer { y.advanced(by: (index - firstRow) * yBytesPerRow) }

    /// Returns row `index` of a chroma plane.
    func chroma(_ plane: Pointer, _ index: Int) -> Pointer {
        plane.advanced(by: (index - firstChromaRow) * chromaBytesPerRow)
    }

    /// Returns alpha row `index` of the image; `nil` if there is no alpha.
    func alpha(_ index: Int) -> Pointer? { alpha?.advanced(by: (index - firstRow) * alphaBytesPerRow) }
}

/// Rows of an image's planes that are read from.
public typealias YUVRows = YUVPlaneRows<UnsafeRawPointer>

/// Rows of an image's planes that are written to.
public typealias MutableYUVRows = YUVPlaneRows<UnsafeMutableRawPointer>
