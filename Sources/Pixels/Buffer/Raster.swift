import CPixelKernels

/// The size of an image and the meaning of its alpha.
package struct RasterShape: Sendable, Hashable {
    package var size: PixelSize
    package var alphaMode: AlphaMode

    package init(size: PixelSize, alphaMode: AlphaMode) {
        self.size = size
        self.alphaMode = alphaMode
    }
}

/// A view of BGRA rows in memory with another owner, which must outlive it.
package struct Raster {
    /// The first pixel of the first row, aligned to four bytes and followed by at least
    /// `bytesPerRow * (height - 1) + width * 4` bytes.
    package let base: UnsafeMutableRawPointer
    /// The distance between rows in bytes, a multiple of four.
    package let bytesPerRow: Int
    package let size: PixelSize
    package let alphaMode: AlphaMode

    package init(base: UnsafeMutableRawPointer, bytesPerRow: Int, size: PixelSize, alphaMode: AlphaMode) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.size = size
        self.alphaMode = alphaMode
    }

    package func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * bytesPerRow }

    /// The pixels of a row.
    package func pixels(_ y: Int) -> UnsafeMutablePointer<UInt32> { row(y).assumingMemoryBound(to: UInt32.self) }

    /// The distance between rows in pixels.
    package var pixelsPerRow: Int { bytesPerRow / PixelBuffer.bytesPerPixel }

    /// Returns a view of a rectangle, which must be inside.
    package func cropped(to rectangle: PixelRectangle) -> Raster {
        precondition(rectangle.isInside(size), "the rectangle \(rectangle) is not inside \(size)")
        return Raster(
            base: row(rectangle.y) + rectangle.x * PixelBuffer.bytesPerPixel, bytesPerRow: bytesPerRow,
            size: rectangle.size, alphaMode: alphaMode)
    }

    /// The same pixels with another meaning of alpha.
    package func with(_ alphaMode: AlphaMode) -> Raster {
        Raster(base: base, bytesPerRow: bytesPerRow, size: size, alphaMode: alphaMode)
    }

    // MARK: Writing rows

    /// Copies rows, all by default, of a raster of the same size.
    package func copyRows(_ rows: Range<Int>? = nil, from source: Raster) {
        precondition(source.size == size, "the sizes differ: \(source.size) and \(size)")
        for y in rows ?? 0..<size.height {
            row(y).copyMemory(from: source.row(y), byteCount: size.width * PixelBuffer.bytesPerPixel)
        }
    }

    /// Fills rows with one pixel (0xAARRGGBB).
    package func fill(_ rows: Range<Int>, with pixel: UInt32) {
        for y in rows { pixels(y).update(repeating: pixel, count: size.width) }
    }

    /// Composites rows of a raster of the same size, which may be this one, over an opaque colour:
    /// (colour × alpha + background × (255 − alpha) + 127) / 255.
    package func flatten(_ rows: Range<Int>, of source: Raster, on background: PixelColor) {
        precondition(source.size == size, "the sizes differ: \(source.size) and \(size)")
        let kernels = texel_kernels_in_use().pointee
        for y in rows {
            kernels.flatten_row(
                row(y).assumingMemoryBound(to: UInt8.self), source.row(y).assumingMemoryBound(to: UInt8.self),
                size.width, background.pixel, source.alphaMode == .premultiplied)
        }
    }
}

extension PixelBuffer {
    /// Calls `body` with a view of the pixels, which must not be written to and must not escape.
    package func withRaster<Value, Failure: Error>(
        _ body: (Raster) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let bytes = rawBytes
        guard let base = bytes.baseAddress else { preconditionFailure("an image has at least one pixel") }
        defer { withExtendedLifetime(self) {} }
        return try body(
            Raster(
                base: UnsafeMutableRawPointer(mutating: base), bytesPerRow: bytesPerRow, size: size,
                alphaMode: alphaMode))
    }

    /// Calls `body` with a view of the pixels for writing, which must not escape. Copies the pixels first if the memory
    /// is shared.
    ///
    /// - Parameter alphaMode: the meaning of the pixels that `body` has written.
    package mutating func updateRaster<Failure: Error>(
        to alphaMode: AlphaMode, _ body: (Raster) throws(Failure) -> Void
    ) throws(Failure) {
        let bytes = uniqueRawBytes()
        guard let base = bytes.baseAddress else { preconditionFailure("an image has at least one pixel") }
        defer { withExtendedLifetime(self) {} }
        try body(Raster(base: base, bytesPerRow: bytesPerRow, size: size, alphaMode: self.alphaMode))
        self.alphaMode = alphaMode
    }
}
