import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory for whole pictures and files, given back with its last owner.
///
/// The kernel hands memory out page by page, cleared, at the first touch of each; for a picture of 50 MB that takes as
/// long as filtering it. Large blocks therefore ask for the large pages that Linux has (2 MB), where it gives them on
/// request, and the blocks given back last are kept for the next picture.
///
/// Unchecked because of the raw pointer: what it points to belongs to the owners, who take care of each other.
package final class LargeMemory: @unchecked Sendable {
    /// Aligned to a cache line at least; undefined until written.
    package let base: UnsafeMutableRawPointer
    /// As many bytes as were asked for, or more.
    package let byteCount: Int

    /// Unchecked because of the raw pointer: a kept block has no owner, and leaves the list with its next one.
    private struct Block: @unchecked Sendable {
        var base: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private static let pageSize = 2 << 20
    /// From half a page on, a whole one is the cheaper.
    private static let largeCount = pageSize / 2
    /// What is kept at most, in bytes.
    private static let keptLimit = 16 << 20
    private static let kept = Mutex<[Block]>([])

    /// `nil` when there is no memory.
    package init?(byteCount: Int) {
        guard let block = byteCount < Self.largeCount ? Self.small(byteCount) : Self.large(byteCount) else {
            return nil
        }
        base = block.base
        self.byteCount = block.byteCount
    }

    deinit {
        let block = Block(base: base, byteCount: byteCount)
        let isKept =
            byteCount >= Self.pageSize
            && Self.kept.withLock { blocks in
                guard blocks.reduce(byteCount, { $0 + $1.byteCount }) <= Self.keptLimit else { return false }
                blocks.append(block)
                return true
            }
        if !isKept { free(base) }
    }

    private static func small(_ byteCount: Int) -> Block? {
        var pointer: UnsafeMutableRawPointer?
        guard posix_memalign(&pointer, 64, byteCount) == 0 else { return nil }
        return pointer.map { Block(base: $0, byteCount: byteCount) }
    }

    private static func large(_ byteCount: Int) -> Block? {
        guard byteCount <= Int.max - pageSize else { return nil }
        let wholePages = (byteCount + pageSize - 1) / pageSize * pageSize
        let found = kept.withLock { blocks in
            // The latest is the likeliest to be in a cache still.
            blocks.lastIndex { $0.byteCount == wholePages }.map { blocks.remove(at: $0) }
        }
        if let found { return found }
        var pointer: UnsafeMutableRawPointer?
        guard posix_memalign(&pointer, pageSize, wholePages) == 0, let pointer else { return nil }
        #if os(Linux)
            // A refusal costs only time.
            _ = madvise(pointer, wholePages, MADV_HUGEPAGE)
        #endif
        return Block(base: pointer, byteCount: wholePages)
    }
}
