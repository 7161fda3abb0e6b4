/// A picture in memory: BGRA32, one `UInt32` 0xAARRGGBB a pixel, little endian, so bytes lie in the order B, G, R, A.
///
/// ## Allocation
/// A buffer is a value. Copies and sub-rectangles share memory until one of them is written to; the writer then takes
/// a copy of its own rectangle. Fresh buffers have no padding between rows; adopted memory may have.
///
/// ## Access, from safe to sharp
/// - ``pixels`` copies everything into an array.
/// - ``span`` and ``row(_:)`` look at the memory without copying, and cannot escape.
/// - ``withUnsafePixels(_:)`` and its three siblings give scoped pointers.
///
/// ## Layout
/// Row `y` begins `y * bytesPerRow` bytes after the first pixel; ``pixelsPerRow`` is the same distance in pixels.
public struct PixelBuffer: Sendable {
    public let size: PixelSize

    /// The distance between the beginnings of two rows, in bytes; a multiple of four.
    public let bytesPerRow: Int

    /// What the alpha byte means. Codecs speak `straight` or `opaque`; filters work `premultiplied`.
    public internal(set) var alphaMode: AlphaMode

    /// What the colour bytes mean. Setting it re-labels the pixels and changes none of them;
    /// ``convertedToSRGB()`` changes them.
    public var colorSpace: ColorSpace

    private var storage: PixelStorage

    /// Bytes from the beginning of `storage` to the first pixel. The initialisers prove that the whole rectangle,
    /// `byteOffset + (height - 1) * bytesPerRow + width * 4`, lies inside the storage.
    private let byteOffset: Int

    public static let bytesPerPixel = 4

    public var width: Int { size.width }
    public var height: Int { size.height }
    public var pixelsPerRow: Int { bytesPerRow / Self.bytesPerPixel }

    /// Whether no padding lies between the rows.
    public var isContiguous: Bool { bytesPerRow == width * Self.bytesPerPixel || height == 1 }

    /// Bytes from the first pixel to the end of the last row, padding between rows included.
    private var byteCount: Int { (height - 1) * bytesPerRow + width * Self.bytesPerPixel }

    // MARK: Making one

    /// A picture in which every pixel is `pixel` (0xAARRGGBB); transparent black by default.
    ///
    /// - Throws: `invalidSize` when a side is not positive or the bytes overflow, `outOfMemory`.
    public init(
        width: Int, height: Int, filledWith pixel: UInt32 = 0, alphaMode: AlphaMode = .straight,
        colorSpace: ColorSpace = .sRGB
    ) throws(PixelBufferError) {
        try self.init(
            allocating: PixelSize(width: width, height: height), zeroed: pixel == 0, alphaMode: alphaMode,
            colorSpace: colorSpace)
        if pixel != 0 { withUnsafeMutablePixels { $0.update(repeating: pixel) } }
    }

    /// A picture from an array of pixels (0xAARRGGBB), row after row from the top left.
    ///
    /// - Throws: `pixelCountMismatch` unless `pixels` holds exactly width × height pixels; `invalidSize`.
    public init(
        width: Int, height: Int, pixels: [UInt32], alphaMode: AlphaMode = .straight, colorSpace: ColorSpace = .sRGB
    ) throws(PixelBufferError) {
        let size = PixelSize(width: width, height: height)
        guard size.isPositive, let count = size.pixelCount else { throw .invalidSize(size) }
        guard count == pixels.count else { throw .pixelCountMismatch(expected: count, actual: pixels.count) }
        try self.init(allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
        withUnsafeMutablePixels { destination in
            pixels.withUnsafeBufferPointer { _ = destination.update(from: $0) }
        }
    }

    /// A picture in memory that the caller hands over.
    ///
    /// The memory must stay valid, and be touched by nobody else, until `deallocator` is called, which happens once,
    /// when the last buffer that shares it goes; also when this initialiser throws nothing is called.
    ///
    /// - Parameters:
    ///   - memory: the first pixel; aligned to four bytes.
    ///   - bytesPerRow: the distance between rows in bytes, a multiple of four, at least `width * 4`.
    ///   - deallocator: called with the address of `memory`.
    public init(
        adopting memory: UnsafeMutableRawBufferPointer, width: Int, height: Int, bytesPerRow: Int,
        alphaMode: AlphaMode, colorSpace: ColorSpace = .sRGB,
        deallocator: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) throws(PixelBufferError) {
        let size = PixelSize(width: width, height: height)
        let needed = try Self.byteCount(of: size, bytesPerRow: bytesPerRow)
        guard let base = memory.baseAddress, memory.count >= needed else {
            throw .notEnoughBytes(needed: needed, available: memory.count)
        }
        guard Int(bitPattern: base) % MemoryLayout<UInt32>.alignment == 0 else { throw .misaligned }
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.alphaMode = alphaMode
        self.colorSpace = colorSpace
        self.storage = PixelStorage(adopting: base, byteCount: memory.count, deallocator: deallocator)
        self.byteOffset = 0
    }

    /// A picture whose pixels are written by `body` before anybody sees them.
    package init(
        uninitialized size: PixelSize, alphaMode: AlphaMode, colorSpace: ColorSpace
    ) throws(PixelBufferError) {
        try self.init(allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
    }

    private init(
        allocating size: PixelSize, zeroed: Bool, alphaMode: AlphaMode, colorSpace: ColorSpace
    ) throws(PixelBufferError) {
        let (bytesPerRow, overflow) = size.width.multipliedReportingOverflow(by: Self.bytesPerPixel)
        guard !overflow else { throw .invalidSize(size) }
        let byteCount = try Self.byteCount(of: size, bytesPerRow: bytesPerRow)
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.alphaMode = alphaMode
        self.colorSpace = colorSpace
        self.storage = try PixelStorage(byteCount: byteCount, zeroed: zeroed)
        self.byteOffset = 0
    }

    private init(sharing other: PixelBuffer, rectangle: PixelRectangle) {
        self.size = rectangle.size
        self.bytesPerRow = other.bytesPerRow
        self.alphaMode = other.alphaMode
        self.colorSpace = other.colorSpace
        self.storage = other.storage
        self.byteOffset =
            other.byteOffset + rectangle.y * other.bytesPerRow + rectangle.x * Self.bytesPerPixel
    }

    /// The bytes from the first pixel to the end of the last row, with every step checked for overflow.
    private static func byteCount(of size: PixelSize, bytesPerRow: Int) throws(PixelBufferError) -> Int {
        guard size.isPositive else { throw .invalidSize(size) }
        let (rowBytes, rowOverflow) = size.width.multipliedReportingOverflow(by: bytesPerPixel)
        guard !rowOverflow else { throw .invalidSize(size) }
        guard bytesPerRow >= rowBytes, bytesPerRow % bytesPerPixel == 0 else {
            throw .invalidBytesPerRow(bytesPerRow, width: size.width)
        }
        let (before, overflow) = (size.height - 1).multipliedReportingOverflow(by: bytesPerRow)
        let (total, totalOverflow) = before.addingReportingOverflow(rowBytes)
        guard !overflow, !totalOverflow else { throw .invalidSize(size) }
        return total
    }

    // MARK: Looking at it

    /// All pixels (0xAARRGGBB) in an array of their own, row after row, without padding.
    public var pixels: [UInt32] {
        [UInt32](unsafeUninitializedCapacity: width * height) { destination, count in
            withUnsafeBytes { source in
                guard let to = destination.baseAddress, let from = source.baseAddress else { return }
                for y in 0..<height {
                    UnsafeMutableRawPointer(to + y * width).copyMemory(
                        from: from + y * bytesPerRow, byteCount: width * Self.bytesPerPixel)
                }
            }
            count = width * height
        }
    }

    /// One pixel (0xAARRGGBB). Setting it copies the memory first if anybody shares it.
    public subscript(x: Int, y: Int) -> UInt32 {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) is outside \(size)")
            return withUnsafePixels { $0[y * pixelsPerRow + x] }
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) is outside \(size)")
            let index = y * pixelsPerRow + x
            withUnsafeMutablePixels { $0[index] = newValue }
        }
    }

    /// A rectangle of this picture that shares its memory until either is written to.
    ///
    /// - Throws: `rectangleOutOfBounds`.
    public func cropped(to rectangle: PixelRectangle) throws(PixelBufferError) -> PixelBuffer {
        guard rectangle.isInside(size) else { throw .rectangleOutOfBounds(rectangle, size) }
        return PixelBuffer(sharing: self, rectangle: rectangle)
    }

    // MARK: The one door to the memory

    /// All bytes from the first pixel to the end of the last row.
    var rawBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage.base + byteOffset, count: byteCount)
    }

    /// The same bytes for writing, after making sure that nobody else can see them.
    mutating func uniqueRawBytes() -> UnsafeMutableRawBufferPointer {
        if !isKnownUniquelyReferenced(&storage) {
            // A failed allocation cannot be reported from a setter; Swift's own arrays trap there as well.
            guard
                var copy = try? PixelBuffer(
                    allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
            else { preconditionFailure("no memory for a copy of \(size) pixels") }
            copy.copyRows(from: self)
            self = copy
        }
        return UnsafeMutableRawBufferPointer(start: storage.base + byteOffset, count: byteCount)
    }

    /// Copies the pixels of a picture of the same size.
    private mutating func copyRows(from other: PixelBuffer) {
        let source = other.rawBytes
        let destination = uniqueRawBytes()
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        for y in 0..<height {
            (to + y * bytesPerRow).copyMemory(
                from: from + y * other.bytesPerRow, byteCount: width * Self.bytesPerPixel)
        }
    }
}

extension PixelBuffer: Equatable {
    /// Returns whether both have the same size, colour space and pixels, and these mean the same.
    ///
    /// The same pixels mean the same under one alpha mode, and under any two if every alpha byte is 255. The distance
    /// between rows does not matter.
    public static func == (left: PixelBuffer, right: PixelBuffer) -> Bool {
        guard left.size == right.size, left.colorSpace == right.colorSpace, left.hasPixels(of: right) else {
            return false
        }
        if left.alphaMode == right.alphaMode { return true }
        // Ask the one whose alpha mode does not answer for its pixels.
        return (left.alphaMode == .opaque ? right : left).isOpaque
    }

    /// Whether the pixels of two buffers of one size are the same numbers.
    private func hasPixels(of other: PixelBuffer) -> Bool {
        withUnsafePixels { a in
            other.withUnsafePixels { b in
                (0..<height).allSatisfy { y in
                    let rowA = a[(y * pixelsPerRow)..<(y * pixelsPerRow + width)]
                    let rowB = b[(y * other.pixelsPerRow)..<(y * other.pixelsPerRow + width)]
                    return rowA.elementsEqual(rowB)
                }
            }
        }
    }
}
