import PlatformLibc
package import TexelCore

/// The memory of one or more pixel buffers; freed with the last of them.
///
/// Unchecked because of the raw pointer: the bytes change only through a `PixelBuffer` for which
/// `isKnownUniquelyReferenced` has shown that it holds the only reference.
package final class PixelStorage: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    let byteCount: Int
    private let deallocator: @Sendable (UnsafeMutableRawPointer) -> Void

    /// Allocates memory, aligned to a cache line. The contents are undefined until written, unless `zeroed`.
    package init(byteCount: Int, zeroed: Bool) throws(TexelError) {
        guard let memory = LargeMemory(byteCount: byteCount) else {
            throw .outOfMemory(byteCount: byteCount)
        }
        if zeroed { memset(memory.base, 0, byteCount) }
        self.base = memory.base
        self.byteCount = byteCount
        // The closure keeps the memory alive; releasing the closure frees it.
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
