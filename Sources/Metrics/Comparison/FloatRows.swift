import CPixelKernels
import TexelCore
import TexelPixels

/// Rows of floats in the layout of the metrics' kernels: initially zero, with `texel_metric_multiple` floats of room
/// before and after each row.
///
/// Unchecked because of the memory: threads that share an object write different rows of it.
final class FloatRows: @unchecked Sendable {
    private let storage: PixelStorage
    private let stride: Int

    private static let margin = Int(texel_metric_multiple)

    /// Allocates the rows.
    ///
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(rows: Int, width: Int) throws(TexelError) {
        guard width <= Int.max / 64 else { throw .resultTooLarge }
        // An odd number of cache lines, so that neighbouring rows do not map to the same cache set.
        let lines = (width + Self.margin - 1) / Self.margin + 2
        stride = (lines | 1) * Self.margin
        let (byteCount, overflow) = (rows * MemoryLayout<Float>.stride).multipliedReportingOverflow(by: stride)
        guard !overflow else { throw .resultTooLarge }
        storage = try PixelStorage(byteCount: max(byteCount, 1), zeroed: true)
    }

    /// The first float of a row. The index is not checked.
    subscript(row: Int) -> UnsafeMutablePointer<Float> {
        storage.base.assumingMemoryBound(to: Float.self) + row * stride + Self.margin
    }
}
