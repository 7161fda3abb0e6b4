public import TexelCore

/// An image in memory: BGRA32, one `UInt32` 0xAARRGGBB per pixel, little endian, so the bytes are B, G, R, A.
///
/// ## Allocation
/// A buffer is a value. Copies and sub-rectangles share memory until one of them is written to; that one then copies
/// its own rectangle. New buffers have no padding between rows; adopted memory may have.
///
/// ## Access
/// - ``pixels`` copies everything into an array.
/// - ``span`` and ``row(_:)`` access the memory without copying, and cannot escape.
/// - ``withUnsafePixels(_:)`` and its three variants give scoped pointers.
///
/// ## Layout
/// Row `y` begins `y * bytesPerRow` bytes after the first pixel; ``pixelsPerRow`` is the same distance in pixels.
public struct PixelBuffer: Sendable {
    /// The width and height in pixels.
    public let size: PixelSize

    /// The distance from one row to the next in bytes; a multiple of four.
    public let bytesPerRow: Int

    /// The meaning of the alpha byte. Codecs use `straight` or `opaque`; filters use `premultiplied`.
    public internal(set) var alphaMode: AlphaMode

    /// The meaning of the colour bytes. Setting it does not change any pixel; ``convertedToSRGB()`` does.
    public var colorSpace: ColorSpace

    private var storage: PixelStorage

    /// The offset of the first pixel in `storage`, in bytes. The initialisers ensure that the whole rectangle, up to
    /// `byteOffset + (height - 1) * bytesPerRow + width * 4`, is inside the storage.
    private let byteOffset: Int

    /// The bytes of a pixel: 4.
    public static let bytesPerPixel = 4

    /// The width in pixels.
    public var width: Int { size.width }
    /// The height in pixels.
    public var height: Int { size.height }
    /// The distance from one row to the next in pixels.
    public var pixelsPerRow: Int { bytesPerRow / Self.bytesPerPixel }

    /// Whether there is no padding between the rows.
    public var isContiguous: Bool { bytesPerRow == width * Self.bytesPerPixel || height == 1 }

    /// The bytes from the first pixel to the end of the last row, including padding between rows.
    private var byteCount: Int { (height - 1) * bytesPerRow + width * Self.bytesPerPixel }

    // MARK: Making one

    /// Creates an image in which every pixel is `pixel` (0xAARRGGBB); transparent black by default.
    ///
    /// - Throws: `invalidSize` if a side is not positive or the number of bytes overflows, `outOfMemory`.
    public init(
        width: Int, height: Int, filledWith pixel: UInt32 = 0, alphaMode: AlphaMode = .straight,
        colorSpace: ColorSpace = .sRGB
    ) throws(TexelError) {
        try self.init(
            allocating: PixelSize(width: width, height: height), zeroed: pixel == 0, alphaMode: alphaMode,
            colorSpace: colorSpace)
        if pixel != 0 { withUnsafeMutablePixels { $0.update(repeating: pixel) } }
    }

    /// Creates an image from an array of pixels (0xAARRGGBB), row by row from the top left.
    ///
    /// - Throws: `pixelCountMismatch` unless `pixels` holds exactly width × height pixels, `invalidSize`,
    ///   `outOfMemory`.
    public init(
        width: Int, height: Int, pixels: [UInt32], alphaMode: AlphaMode = .straight, colorSpace: ColorSpace = .sRGB
    ) throws(TexelError) {
        let size = PixelSize(width: width, height: height)
        guard size.isPositive, let count = size.pixelCount else { throw .invalidSize(size) }
        guard count == pixels.count else { throw .pixelCountMismatch(expected: count, actual: pixels.count) }
        try self.init(allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
        withUnsafeMutablePixels { destination in
            pixels.withUnsafeBufferPointer { _ = destination.update(from: $0) }
        }
    }

    /// Creates an image in memory that the caller hands over.
    ///
    /// The memory must stay valid, and must not be accessed otherwise, until `deallocator` is called. It is called
    /// once, when the last buffer that shares the memory is freed. If this initialiser throws, it is not called.
    ///
    /// - Parameters:
    ///   - memory: the first pixel; aligned to four bytes.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - bytesPerRow: the distance between rows in bytes; a multiple of four, at least `width * 4`.
    ///   - alphaMode: the meaning of the alpha byte.
    ///   - colorSpace: the meaning of the colour bytes.
    ///   - deallocator: called with the address of `memory`.
    /// - Throws: `invalidSize`, `invalidBytesPerRow`, `notEnoughBytes`, `misaligned`.
    public init(
        adopting memory: UnsafeMutableRawBufferPointer, width: Int, height: Int, bytesPerRow: Int,
        alphaMode: AlphaMode, colorSpace: ColorSpace = .sRGB,
        deallocator: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) throws(TexelError) {
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

    /// Creates an image whose pixels are undefined. The caller must write all of them.
    package init(
        uninitialized size: PixelSize, alphaMode: AlphaMode, colorSpace: ColorSpace
    ) throws(TexelError) {
        try self.init(allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
    }

    private init(
        allocating size: PixelSize, zeroed: Bool, alphaMode: AlphaMode, colorSpace: ColorSpace
    ) throws(TexelError) {
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

    /// Returns the bytes from the first pixel to the end of the last row; throws if the number overflows.
    private static func byteCount(of size: PixelSize, bytesPerRow: Int) throws(TexelError) -> Int {
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

    /// All pixels (0xAARRGGBB) in a new array, row by row, without padding.
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

    /// One pixel (0xAARRGGBB). Setting it copies the memory first if it is shared. Traps if it is out of bounds.
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

    /// Returns a rectangle of this image, which shares its memory until either is written to.
    ///
    /// - Throws: `rectangleOutOfBounds`.
    public func cropped(to rectangle: PixelRectangle) throws(TexelError) -> PixelBuffer {
        guard rectangle.isInside(size) else { throw .rectangleOutOfBounds(rectangle, size) }
        return PixelBuffer(sharing: self, rectangle: rectangle)
    }

    // MARK: Unsafe access to the storage

    /// All bytes from the first pixel to the end of the last row.
    var rawBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage.base + byteOffset, count: byteCount)
    }

    /// Returns whether no other image shares the memory, so that it can be written to without a copy.
    package mutating func hasOwnMemory() -> Bool { isKnownUniquelyReferenced(&storage) }

    /// The same bytes for writing. Copies the pixels first if the memory is shared.
    mutating func uniqueRawBytes() -> UnsafeMutableRawBufferPointer {
        if !isKnownUniquelyReferenced(&storage) {
            // A setter cannot throw if the allocation fails; it traps, as Swift's arrays do.
            guard
                var copy = try? PixelBuffer(
                    allocating: size, zeroed: false, alphaMode: alphaMode, colorSpace: colorSpace)
            else { preconditionFailure("out of memory: cannot copy \(size) pixels") }
            copy.copyRows(from: self)
            self = copy
        }
        return UnsafeMutableRawBufferPointer(start: storage.base + byteOffset, count: byteCount)
    }

    /// Copies the pixels of an image of the same size.
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
    /// Returns whether both images have the same size, colour space and pixels, and the pixels have the same meaning.
    ///
    /// Equal pixels have the same meaning in one alpha mode, and in any two if every alpha byte is 255. `bytesPerRow`
    /// is ignored.
    public static func == (left: PixelBuffer, right: PixelBuffer) -> Bool {
        guard left.size == right.size, left.colorSpace == right.colorSpace, left.hasPixels(of: right) else {
            return false
        }
        if left.alphaMode == right.alphaMode { return true }
        // At most one of the two is `opaque`; check the pixels of the other.
        return (left.alphaMode == .opaque ? right : left).isOpaque
    }

    /// Returns whether the pixels of two images of one size are equal, whatever their alpha mode.
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
