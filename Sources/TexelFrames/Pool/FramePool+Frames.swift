public import TexelPixels

extension FramePool {
    /// A frame of an application's own.
    ///
    /// - Parameters:
    ///   - time: When it is to be seen, from the beginning of the stream.
    ///   - fill: Writes all rows: bytes B, G, R, A, row `y` from `y * bytesPerRow` on. What is there before is undefined.
    ///     The pointer must not escape.
    /// - Returns: `nil` when all buffers are held.
    /// - Throws: `pixels(.invalidSize)`, and what ``leaseIfFree(byteCount:)`` throws.
    public func makeFrameIfFree(
        size: PixelSize, alphaMode: AlphaMode = .opaque, time: Duration, duration: Duration? = nil, index: Int = 0,
        _ fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) -> Void
    ) throws(FrameError) -> Frame? {
        let byteCount = try Frame.byteCount(size)
        guard var lease = try leaseIfFree(byteCount: byteCount) else { return nil }
        lease.withUnsafeMutableBytes { bytes in
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]), Frame.bytesPerRow(width: size.width))
        }
        return Frame(lease, size: size, alphaMode: alphaMode, time: time, duration: duration, index: index)
    }
}
