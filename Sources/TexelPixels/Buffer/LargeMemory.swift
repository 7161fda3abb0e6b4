#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory for whole pictures and files.
///
/// The kernel hands memory out page by page, at the first touch of each; for a picture of 50 MB that takes as long as
/// filtering it. Large blocks therefore ask for the large pages that Linux has (2 MB), where it gives them on request.
package enum LargeMemory {
    private static let pageSize = 2 << 20

    /// Fresh memory with undefined contents, at least aligned to a cache line, to be given back with `free` or
    /// `deallocate()`; `nil` when there is none.
    package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        let isLarge = byteCount >= pageSize
        var pointer: UnsafeMutableRawPointer?
        guard posix_memalign(&pointer, isLarge ? pageSize : 64, byteCount) == 0, let pointer else { return nil }
        #if os(Linux)
            // Only whole large pages: the rest of the block stays as small as it is. A refusal costs only time.
            if isLarge { _ = madvise(pointer, byteCount / pageSize * pageSize, MADV_HUGEPAGE) }
        #endif
        return pointer
    }
}
