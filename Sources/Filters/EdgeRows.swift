import CPixelKernels
import TexelCore
import TexelPixels

/// The rows of an image as window filters read them: premultiplied, and with edges repeated.
///
/// Rows that need no change are read where they are. Others are copied into a ring when they are first needed.
final class EdgeRows {
    private let kernels: texel_kernels
    private let size: PixelSize
    private let multipliesAlpha: Bool
    private let copiesRows: Bool
    private let margin: Int
    private let ringRowBytes: Int
    private let ring: PixelStorage
    /// The row that each place of the ring holds; -1 if none.
    private var held: [Int]
    private let addresses: PixelStorage

    /// Allocates the ring.
    ///
    /// - Parameters:
    ///   - window: the number of consecutive rows that are used at once.
    ///   - margin: the pixels that must be readable before and after a row.
    ///   - padding: the bytes, of any value, that must be readable after that.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    init(
        for source: RasterShape, window: Int, margin: Int = 0, padding: Int = 0
    ) throws(TexelError) {
        kernels = texel_kernels_in_use().pointee
        size = source.size
        multipliesAlpha = source.alphaMode == .straight
        copiesRows = multipliesAlpha || margin > 0 || padding > 0
        self.margin = margin
        let pixels = source.size.width + 2 * margin
        ringRowBytes = pixels * PixelBuffer.bytesPerPixel + padding
        held = [Int](repeating: -1, count: window)
        let (bytes, overflow) = ringRowBytes.multipliedReportingOverflow(by: window)
        guard !overflow else { throw .resultTooLarge }
        // Zeroed, because the padding is read.
        ring = try PixelStorage(byteCount: copiesRows ? bytes : 8, zeroed: true)
        addresses = try PixelStorage(byteCount: window * MemoryLayout<UnsafeRawPointer>.stride, zeroed: true)
    }

    /// Forgets all rows, before another image is filtered.
    func restart() {
        for index in held.indices { held[index] = -1 }
    }

    /// Returns the first pixel of a row; a row outside the image is the nearest one inside.
    func row(_ y: Int, of source: Raster) -> UnsafePointer<UInt8> {
        let y = min(max(y, 0), size.height - 1)
        let pixels = UnsafePointer(source.row(y).assumingMemoryBound(to: UInt8.self))
        guard copiesRows else { return pixels }
        let place = y % held.count
        let copy =
            (ring.base + place * ringRowBytes).assumingMemoryBound(to: UInt8.self)
            + margin * PixelBuffer.bytesPerPixel
        if held[place] != y {
            held[place] = y
            if multipliesAlpha {
                kernels.premultiply_row(copy, pixels, size.width)
            } else {
                copy.update(from: pixels, count: size.width * PixelBuffer.bytesPerPixel)
            }
            repeatEdges(of: UnsafeMutableRawPointer(copy).assumingMemoryBound(to: UInt32.self), margin, margin)
        }
        return UnsafePointer(copy)
    }

    /// Returns the addresses of consecutive rows, as many as the window has or fewer, valid until the next call.
    func window(_ rows: Range<Int>, of source: Raster) -> UnsafePointer<UnsafePointer<UInt8>> {
        precondition(rows.count <= held.count, "a window has at most \(held.count) rows")
        let table = addresses.base.assumingMemoryBound(to: UnsafePointer<UInt8>.self)
        for (index, y) in rows.enumerated() { table[index] = row(y, of: source) }
        return UnsafePointer(table)
    }

    /// Writes copies of the first pixel before a row, and of the last one after it.
    private func repeatEdges(of row: UnsafeMutablePointer<UInt32>, _ before: Int, _ after: Int) {
        (row - before).update(repeating: row[0], count: before)
        (row + size.width).update(repeating: row[size.width - 1], count: after)
    }
}
