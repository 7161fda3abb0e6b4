import CPixelKernels

/// Rows of floats as the metrics' kernels want them: zeros at first, and before and behind each row as much room as
/// `texel_metric_multiple` says.
///
/// Unchecked because of the memory: threads that share one write different rows of it.
final class FloatRows: @unchecked Sendable {
    private let storage: PixelStorage
    private let stride: Int

    private static let margin = Int(texel_metric_multiple)

    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(rows: Int, width: Int) throws(PixelBufferError) {
        guard width <= Int.max / 64 else { throw .resultTooLarge }
        // An odd number of cache lines: neighbouring rows do not fight for the same place in the cache.
        let lines = (width + Self.margin - 1) / Self.margin + 2
        stride = (lines | 1) * Self.margin
        let (byteCount, overflow) = (rows * MemoryLayout<Float>.stride).multipliedReportingOverflow(by: stride)
        guard !overflow else { throw .resultTooLarge }
        storage = try PixelStorage(byteCount: max(byteCount, 1), zeroed: true)
    }

    /// The first float of a row, which the caller knows to be there.
    subscript(row: Int) -> UnsafeMutablePointer<Float> {
        storage.base.assumingMemoryBound(to: Float.self) + row * stride + Self.margin
    }
}
