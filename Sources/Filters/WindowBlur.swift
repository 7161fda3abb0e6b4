import CPixelKernels
import TexelCore
import TexelPixels

/// Blurs with a window of weights: vertically into words, then along the row.
final class WindowBlur: RowBlur {
    private let kernels = texel_kernels_in_use().pointee
    private let weights: [Int16]
    private let radius: Int
    private let width: Int
    private let rows: EdgeRows
    private let words: WordRow

    init(_ weights: GaussianWeights, for source: RasterShape) throws(TexelError) {
        precondition(weights.radius <= Int(texel_window_radius), "the window's radius is \(weights.radius)")
        self.weights = weights.weights
        radius = weights.radius
        width = source.size.width
        rows = try EdgeRows(for: source, window: 2 * radius + 1)
        words = try WordRow(width: width, before: radius, after: radius)
    }

    func restart() { rows.restart() }

    func blur(row y: Int, of source: Raster, into destination: UnsafeMutablePointer<UInt8>) {
        let window = rows.window((y - radius)..<(y + radius + 1), of: source)
        weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            kernels.window_rows(words.base, window, width * 4, weights, radius)
            words.repeatEdges()
            kernels.window_row(destination, words.base, width * 4, weights, radius)
        }
    }
}

/// A row of words, four per pixel, with room before and after it, and for whole vectors.
struct WordRow {
    private let storage: PixelStorage
    private let width: Int
    private let before: Int
    private let after: Int

    /// Allocates a row of zeros.
    ///
    /// - Parameters:
    ///   - width: the pixels of the row.
    ///   - before: the pixels before it.
    ///   - after: the pixels after it.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    init(width: Int, before: Int = 0, after: Int = 0) throws(TexelError) {
        self.width = width
        self.before = before
        self.after = after
        let vector = Int(texel_window_multiple) / 4
        let (pixels, overflow) = width.addingReportingOverflow(before + after + vector)
        guard !overflow, pixels < Int.max / 8 else { throw .resultTooLarge }
        storage = try PixelStorage(byteCount: pixels * 8, zeroed: true)
    }

    /// The first word of the row.
    var base: UnsafeMutablePointer<Int16> { storage.base.assumingMemoryBound(to: Int16.self) + before * 4 }

    /// Writes copies of the first pixel before the row, and of the last one after it.
    func repeatEdges() {
        let pixels = (storage.base + before * 8).assumingMemoryBound(to: UInt64.self)
        (pixels - before).update(repeating: pixels[0], count: before)
        (pixels + width).update(repeating: pixels[width - 1], count: after)
    }
}
