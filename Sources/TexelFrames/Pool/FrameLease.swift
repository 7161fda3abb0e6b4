/// The right to a buffer of a pool. The buffer goes back when the last of its leases ends.
///
/// A lease cannot be copied; ``shared()`` makes another of the same buffer. Neither costs an allocation. Whoever holds
/// the only lease may write, and nobody else can see that; leases that are shared are for reading.
public struct FrameLease: ~Copyable, Sendable {
    let buffer: FrameBuffer

    /// Takes over one hold of the buffer.
    init(holding buffer: FrameBuffer) { self.buffer = buffer }

    deinit { buffer.release() }

    public var byteCount: Int { buffer.memory.count }

    /// Whether no other lease of the buffer exists.
    public var isUnique: Bool { buffer.isHeldOnce }

    /// Another lease of the same buffer.
    public func shared() -> FrameLease {
        buffer.retain()
        return FrameLease(holding: buffer)
    }

    /// Calls `body` with all bytes; the first is at the beginning of a page.
    ///
    /// - Warning: The pointer must not escape `body`.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(buffer.memory))
    }

    /// Calls `body` with all bytes for writing. The lease must be the only one.
    ///
    /// - Warning: The pointer must not escape `body`.
    public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(isUnique, "a buffer that others look at must not be written")
        return try body(buffer.memory)
    }

    /// Makes room for as many bytes; what was in the buffer is lost if it had less. The lease must be the only one.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func grow(to byteCount: Int) throws(FrameError) {
        precondition(isUnique, "a buffer that others look at must not grow")
        try buffer.grow(to: byteCount)
    }
}
