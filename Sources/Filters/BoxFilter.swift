import CPixelKernels
package import TexelCore
package import TexelPixels

/// The mean of square windows, prepared for images of one shape. Used by one thread at a time; running it allocates
/// nothing.
///
/// Sums of columns move down with the window, and their sum along the row, so the cost does not depend on the radius.
package final class BoxFilter {
    /// The largest radius, in pixels. A sum is at most 255 × 2001², which is below 2³¹.
    package static let largestRadius = 1000

    private let kernels = texel_kernels_in_use().pointee
    private let radius: Int
    private let box: texel_box
    private let shape: RasterShape
    private let added: EdgeRows
    private let removed: EdgeRows
    /// The sums of the columns, four per pixel, with `radius` pixels before and after them.
    private let sums: PixelStorage
    /// The zeros that are subtracted while the first window is filled.
    private let zeros: PixelStorage

    /// Allocates the memory.
    ///
    /// - Parameter radius: the window has 2 × `radius` + 1 pixels on each side; 1…``largestRadius``.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(radius: Int, for source: RasterShape) throws(TexelError) {
        precondition((1...Self.largestRadius).contains(radius), "the radius is \(radius)")
        self.radius = radius
        shape = source
        box = Self.box(radius: radius)
        added = try EdgeRows(for: source, window: 1)
        removed = try EdgeRows(for: source, window: 1)
        let (pixels, overflow) = source.size.width.addingReportingOverflow(2 * radius)
        guard !overflow, pixels < Int.max / 16 else { throw .resultTooLarge }
        sums = try PixelStorage(byteCount: pixels * 16, zeroed: true)
        zeros = try PixelStorage(byteCount: source.size.width * PixelBuffer.bytesPerPixel, zeroed: true)
    }

    /// The window, and how sums are divided by its area.
    static func box(radius: Int) -> texel_box {
        let area = UInt64((2 * radius + 1) * (2 * radius + 1))
        // The area is odd and so at most 2^bits − 1; the reciprocal is below 2³².
        let shift = UInt64(31 + UInt64.bitWidth - area.leadingZeroBitCount)
        return texel_box(
            radius: UInt32(radius), half_area: UInt32(area / 2), reciprocal: UInt32(((1 << shift) + area - 1) / area),
            shift: UInt32(shift))
    }

    /// The rows of the source on which rows of the result depend.
    package static func sourceRows(for rows: Range<Int>, of source: PixelSize, radius: Int) -> Range<Int> {
        ((rows.lowerBound - radius)..<(rows.upperBound + radius)).clamped(to: 0..<source.height)
    }

    /// Writes rows of the result, in the alpha mode of the source.
    ///
    /// - Parameters:
    ///   - source: an image of the shape. Only ``sourceRows(for:of:radius:)`` are read.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        guard let first = rows.first else { return }
        added.restart()
        removed.restart()
        let width = shape.size.width
        let columns = sums.base.assumingMemoryBound(to: UInt32.self) + radius * 4
        columns.update(repeating: 0, count: width * 4)
        let zeros = zeros.base.assumingMemoryBound(to: UInt8.self)
        for y in (first - radius)...(first + radius) {
            kernels.move_sums(columns, added.row(y, of: source), zeros, width * 4)
        }
        for y in rows {
            if y > first {
                kernels.move_sums(
                    columns, added.row(y + radius, of: source), removed.row(y - radius - 1, of: source), width * 4)
            }
            repeatEdges()
            let row = destination.row(y).assumingMemoryBound(to: UInt8.self)
            withUnsafePointer(to: box) { kernels.box_row(row, columns, width, $0) }
            if shape.alphaMode == .straight { kernels.unpremultiply_row(row, row, width) }
        }
    }

    /// Writes copies of the first pixel's sums before the row, and of the last one's after it.
    private func repeatEdges() {
        let pixels = sums.base.assumingMemoryBound(to: SIMD4<UInt32>.self) + radius
        let width = shape.size.width
        (pixels - radius).update(repeating: pixels[0], count: radius)
        (pixels + width).update(repeating: pixels[width - 1], count: radius)
    }
}
