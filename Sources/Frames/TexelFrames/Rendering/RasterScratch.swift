import TexelCore
import TexelPixels

/// Intermediate memory between two passes, reused for every frame.
final class RasterScratch {
    private let memory: LargeMemory
    let raster: Raster

    init(_ shape: RasterShape) throws(TexelError) {
        let byteCount = try Frame.byteCount(shape.size)
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        self.memory = memory
        raster = Raster(
            base: memory.base, bytesPerRow: Frame.bytesPerRow(width: shape.size.width), size: shape.size,
            alphaMode: shape.alphaMode)
    }
}
