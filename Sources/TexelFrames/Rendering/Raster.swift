import TexelPixels

/// A view of BGRA rows in memory with another owner, which must outlive the rendering of a frame.
struct Raster {
    /// The first pixel of the first row, followed by at least `bytesPerRow * (height - 1) + width * 4` bytes.
    let base: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let size: PixelSize
    let alphaMode: AlphaMode

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * bytesPerRow }

    /// Returns a view of a rectangle, which must be inside.
    func cropped(to rectangle: PixelRectangle) -> Raster {
        precondition(rectangle.isInside(size), "the rectangle \(rectangle) is not inside \(size)")
        return Raster(
            base: row(rectangle.y) + rectangle.x * PixelBuffer.bytesPerPixel, bytesPerRow: bytesPerRow,
            size: rectangle.size, alphaMode: alphaMode)
    }

    /// Copies all rows of a raster of the same size.
    func copyRows(from source: Raster) {
        precondition(source.size == size, "the sizes differ: \(source.size) and \(size)")
        for y in 0..<size.height {
            row(y).copyMemory(from: source.row(y), byteCount: size.width * PixelBuffer.bytesPerPixel)
        }
    }
}

/// Intermediate memory between two passes, reused for every frame.
final class RasterScratch {
    private let memory: LargeMemory
    let raster: Raster

    init(_ size: PixelSize, _ alphaMode: AlphaMode) throws(FrameError) {
        let byteCount = try Frame.byteCount(size)
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
        raster = Raster(
            base: memory.base, bytesPerRow: Frame.bytesPerRow(width: size.width), size: size, alphaMode: alphaMode)
    }
}
