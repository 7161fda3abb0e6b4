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
        var pointer: UnsafeMutableRawPointer?
        guard byteCount >= pageSize, byteCount <= Int.max - pageSize else {
            return posix_memalign(&pointer, 64, byteCount) == 0 ? pointer : nil
        }
        let wholePages = (byteCount + pageSize - 1) / pageSize * pageSize
        guard posix_memalign(&pointer, pageSize, wholePages) == 0, let pointer else { return nil }
        #if os(Linux)
            // A refusal costs only time.
            _ = madvise(pointer, wholePages, MADV_HUGEPAGE)
        #endif
        return pointer
    }
}
