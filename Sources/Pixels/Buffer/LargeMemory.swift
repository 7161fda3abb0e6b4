import PlatformLibc
import Synchronization

/// Memory for whole images and files, freed with its last reference.
///
/// The kernel maps and clears memory one page at a time, at the first access; for an image of 50 MB this takes as long
/// as filtering it. Large blocks therefore request huge pages (2 MB) on Linux, and up to 16 MB of freed blocks are kept
/// for the next image.
///
/// Unchecked because of the raw pointer: the owners of the object synchronise access to the memory.
package final class LargeMemory: @unchecked Sendable {
    /// The first byte, aligned to at least a cache line. The contents are undefined until written.
    package let base: UnsafeMutableRawPointer
    /// The size in bytes; at least the size requested.
    package let byteCount: Int

    /// Unchecked because of the raw pointer: a block in the list has no owner until it is removed from the list.
    private struct Block: @unchecked Sendable {
        var base: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private static let pageSize = 2 << 20
    /// From half a huge page on, a whole one costs less time.
    private static let largeCount = pageSize / 2
    /// The most bytes that are kept.
    private static let keptLimit = 16 << 20
    private static let kept = Mutex<[Block]>([])

    /// Allocates memory; returns `nil` if the system has none.
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
            // The last one freed is most likely to be in a cache.
            blocks.lastIndex { $0.byteCount == wholePages }.map { blocks.remove(at: $0) }
        }
        if let found { return found }
        var pointer: UnsafeMutableRawPointer?
        guard posix_memalign(&pointer, pageSize, wholePages) == 0, let pointer else { return nil }
        #if os(Linux)
            // If the advice is rejected, the memory is only slower.
            _ = madvise(pointer, wholePages, MADV_HUGEPAGE)
        #endif
        return Block(base: pointer, byteCount: wholePages)
    }
}
