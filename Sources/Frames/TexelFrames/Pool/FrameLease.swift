public import TexelCore

/// A hold of a pool's buffer. The buffer returns to the pool when its last lease ends.
///
/// A lease is noncopyable; ``shared()`` returns another lease of the same buffer. Neither allocates. Only the holder of
/// the only lease may write; shared leases are read-only.
public struct FrameLease: ~Copyable, Sendable {
    let buffer: FrameBuffer

    /// Takes over one hold of the buffer.
    init(holding buffer: FrameBuffer) { self.buffer = buffer }

    deinit { buffer.release() }

    /// The size of the buffer in bytes, which may be more than was requested.
    public var byteCount: Int { buffer.memory.count }

    /// Whether no other lease of the buffer exists.
    public var isUnique: Bool { buffer.isHeldOnce }

    /// Returns another lease of the same buffer.
    public func shared() -> FrameLease {
        buffer.retain()
        return FrameLease(holding: buffer)
    }

    /// Calls `body` with all bytes, which start at a page boundary.
    ///
    /// - Warning: The pointer must not escape `body`.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(buffer.memory))
    }

    /// Calls `body` with all bytes for writing. This must be the only lease.
    ///
    /// - Warning: The pointer must not escape `body`.
    public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(isUnique, "a shared buffer must not be written")
        return try body(buffer.memory)
    }

    /// Ensures that the buffer has at least `byteCount` bytes. If it grows, its contents are lost. This must be the
    /// only lease.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func grow(to byteCount: Int) throws(TexelError) {
        precondition(isUnique, "a shared buffer must not be resized")
        try buffer.grow(to: byteCount)
    }
}
