package import CCodecShims
package import TexelCore
import TexelPixels

/// Converts planes to pixels at a reduced size, row by row: each sample becomes the mean of those that it covers.
///
/// Reduced chroma has the resolution of reduced luma, because chroma has at least half the resolution of luma.
package final class PlaneReduction {
    private let divisor: Int
    private let memory: LargeMemory
    private let bytesPerRow: Int
    private let width: Int
    private let sumBytes: Int

    /// - Parameters:
    ///   - divisor: 2, 4 or 8.
    /// - Throws: `outOfMemory`.
    package init(width: Int, isDeep: Bool, by divisor: Int) throws(TexelError) {
        self.divisor = divisor
        self.width = (width + divisor - 1) / divisor
        bytesPerRow = (self.width * (isDeep ? 2 : 1) + 63) / 64 * 64
        // The sums of columns; then two rows of chroma, and its sums, in words.
        sumBytes = (width * 4 + 63) / 64 * 64
        guard let memory = LargeMemory(byteCount: 3 * bytesPerRow + sumBytes + 2 * (3 * self.width + 1)) else {
            throw .outOfMemory
        }
        self.memory = memory
    }

    /// Returns the rows of the image that a reduced row is made of.
    package static func rows(for row: Int, by divisor: Int, of height: Int) -> Range<Int> {
        row * divisor..<min((row + 1) * divisor, height)
    }

    /// Writes a reduced row as opaque BGRA.
    ///
    /// - Parameters:
    ///   - image: without alpha, as wide as at creation; the rows of `rows(for:by:of:)` must be complete.
    ///   - pixels: receives a pixel for each reduced sample.
    package func convert(_ row: Int, of image: texel_planar_image, to pixels: UnsafeMutableRawPointer) {
        let sums = memory.base + 3 * bytesPerRow
        func reduced(_ plane: texel_plane, _ index: Int, _ divideX: Int, _ divideY: Int) -> texel_plane {
            guard let samples = plane.samples else { return plane }
            let rows = Self.rows(for: row, by: divideY, of: Int(plane.height))
            let start = memory.base + index * bytesPerRow
            var band = texel_plane(
                samples: samples + rows.lowerBound * plane.bytes_per_row, bytes_per_row: plane.bytes_per_row,
                width: plane.width, height: Int32(rows.count))
            texel_plane_shrink(&band, image.is_deep, Int32(divideX), Int32(divideY), sums, start, bytesPerRow)
            return texel_plane(
                samples: UnsafeRawPointer(start), bytes_per_row: bytesPerRow, width: Int32(width), height: 1)
        }
        let (chromaX, chromaY) = (divisor >> Int(image.chroma_shift_x), divisor >> Int(image.chroma_shift_y))
        var result = image
        result.planes = (
            reduced(image.planes.0, 0, divisor, divisor), reduced(image.planes.1, 1, chromaX, chromaY),
            reduced(image.planes.2, 2, chromaX, chromaY)
        )
        (result.chroma_shift_x, result.chroma_shift_y) = (0, 0)
        let chroma = (sums + sumBytes).assumingMemoryBound(to: UInt16.self)
        texel_planar_row_to_bgra(&result, 0, chroma, pixels.assumingMemoryBound(to: UInt8.self))
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
