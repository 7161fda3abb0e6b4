#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The memory behind one or several pixel buffers; freed with the last of them.
///
/// Unchecked because of the raw pointer: the bytes change only through a `PixelBuffer` that has proved by
/// `isKnownUniquelyReferenced` that nobody else holds this object.
final class PixelStorage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
    private let deallocator: @Sendable (UnsafeMutableRawPointer) -> Void

    /// Fresh memory, aligned to a cache line; its contents are undefined until written, unless `zeroed`.
    init(byteCount: Int, zeroed: Bool) throws(PixelBufferError) {
        guard let memory = LargeMemory(byteCount: byteCount) else {
            throw .outOfMemory(byteCount: byteCount)
        }
        if zeroed { memset(memory.base, 0, byteCount) }
        self.base = memory.base
        self.byteCount = byteCount
        // Given back with this closure.
        self.deallocator = { _ in withExtendedLifetime(memory) {} }
    }

    init(
        adopting base: UnsafeMutableRawPointer, byteCount: Int,
        deallocator: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) {
        self.base = base
        self.byteCount = byteCount
        self.deallocator = deallocator
    }

    deinit { deallocator(base) }
}
