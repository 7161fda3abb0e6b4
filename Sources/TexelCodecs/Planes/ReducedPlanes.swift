package import CCodecShims
import TexelPixels

/// The planes of a reduced image: each sample is the mean of those that it covers.
package final class ReducedPlanes {
    /// The image; valid while this object exists.
    package let image: texel_planar_image
    package var height: Int { Int(image.planes.0.height) }
    private let memory: LargeMemory

    /// Reduces an image without alpha. Chroma is divided until it has the resolution of luma, or not at all.
    ///
    /// - Parameters:
    ///   - divisor: 2, 4 or 8.
    ///   - isWhole: whether the last row of blocks may have fewer rows; otherwise it is left out.
    /// - Throws: `outOfMemory`.
    package init(_ from: inout texel_planar_image, by divisor: Int, isWhole: Bool) throws(CodecError) {
        let luma = from.planes.0
        let width = (Int(luma.width) + divisor - 1) / divisor
        let height = isWhole ? (Int(luma.height) + divisor - 1) / divisor : Int(luma.height) / divisor
        let bytesPerRow = (width * (from.is_deep ? 2 : 1) + 63) / 64 * 64
        let hasChroma = from.planes.1.samples != nil
        // The sums are at the end.
        let planes = (hasChroma ? 3 : 1) * bytesPerRow * height
        guard height > 0, let memory = LargeMemory(byteCount: planes + 4 * Int(luma.width)) else { throw .outOfMemory }
        self.memory = memory
        let sums = (memory.base + planes).assumingMemoryBound(to: UInt32.self)
        var result = from
        (result.chroma_shift_x, result.chroma_shift_y) = (0, 0)
        func reduced(_ plane: texel_plane, _ index: Int, _ divideX: Int, _ divideY: Int) -> texel_plane {
            guard plane.samples != nil else { return plane }
            var plane = plane
            let start = memory.base + index * bytesPerRow * height
            // Only whole rows of blocks, and as many as the plane has memory for.
            plane.height = Int32(min(Int(plane.height), height * divideY))
            texel_plane_shrink(&plane, from.is_deep, Int32(divideX), Int32(divideY), sums, start, bytesPerRow)
            return texel_plane(
                samples: UnsafeRawPointer(start), bytes_per_row: bytesPerRow, width: Int32(width),
                height: Int32(height))
        }
        let (chromaX, chromaY) = (divisor >> Int(from.chroma_shift_x), divisor >> Int(from.chroma_shift_y))
        result.planes = (
            reduced(from.planes.0, 0, divisor, divisor), reduced(from.planes.1, 1, chromaX, chromaY),
            reduced(from.planes.2, 2, chromaX, chromaY)
        )
        image = result
    }
}

extension texel_planar_image {
    /// Limits the image to its first rows.
    package mutating func limit(rows: Int) {
        let chroma = (rows + Int(chroma_shift_y)) >> Int(chroma_shift_y)
        planes.0.height = min(planes.0.height, Int32(rows))
        planes.1.height = min(planes.1.height, Int32(chroma))
        planes.2.height = min(planes.2.height, Int32(chroma))
    }
}
