public import TexelCore
public import TexelPixels

extension FramePool {
    /// Makes a frame that an application fills, if a buffer is free.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - alphaMode: How the colours relate to alpha.
    ///   - time: The presentation time, from the start of the stream.
    ///   - duration: How long the frame is shown; `nil` if unknown.
    ///   - index: The frame's number in the stream.
    ///   - fill: Writes all rows in B, G, R, A byte order; row `y` starts at byte `y * bytesPerRow`. The initial
    ///     contents are undefined. The pointer must not escape.
    /// - Returns: `nil` if all buffers are in use.
    /// - Throws: `invalidSize`, and the errors of ``leaseIfFree(byteCount:)``.
    public func makeFrameIfFree(
        size: PixelSize, alphaMode: AlphaMode = .opaque, time: Duration, duration: Duration? = nil, index: Int = 0,
        _ fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) -> Void
    ) throws(TexelError) -> Frame? {
        let byteCount = try Frame.byteCount(size)
        guard var lease = try leaseIfFree(byteCount: byteCount) else { return nil }
        lease.withUnsafeMutableBytes { bytes in
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]), Frame.bytesPerRow(width: size.width))
        }
        return Frame(lease, size: size, alphaMode: alphaMode, time: time, duration: duration, index: index)
    }
}
