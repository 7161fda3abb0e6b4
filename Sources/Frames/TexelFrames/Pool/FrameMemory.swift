import PlatformLibc
import TexelCore

/// Allocates the memory of a pool's buffers: private to this process, or shared with others.
///
/// The pool calls it under its own lock, one call at a time.
protocol FrameMemory: AnyObject, Sendable {
    /// Allocates at least `byteCount` bytes, page-aligned, for the buffer at this index. Frees its previous memory
    /// first, even if the allocation then fails.
    func allocate(slot: Int, byteCount: Int) throws(TexelError) -> UnsafeMutableRawBufferPointer

    /// Called before a buffer is written: its old frame becomes invalid for readers.
    func willWrite(slot: Int)

    /// Frees the memory of the buffer at this index.
    func free(slot: Int)

    /// Whether the pool reuses the buffer returned first, so that readers can see its frame as long as possible.
    /// Otherwise it reuses the one returned last, which is the most likely to be cached.
    var isRing: Bool { get }
}

extension FrameMemory {
    var isRing: Bool { false }
}

/// Anonymous private memory, in huge pages where the system supports them.
///
/// Unchecked because of the pointers: the pool's lock guards them.
final class PrivateFrameMemory: FrameMemory, @unchecked Sendable {
    private var blocks: [UnsafeMutableRawBufferPointer?] = []

    func allocate(slot: Int, byteCount: Int) throws(TexelError) -> UnsafeMutableRawBufferPointer {
        free(slot: slot)
        guard byteCount > 0,
            let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != MAP_FAILED
        else { throw .outOfMemory(byteCount: byteCount) }
        #if os(Linux)
            // Only a hint; failure costs speed, nothing else.
            if byteCount >= 2 << 20 { _ = madvise(base, byteCount, MADV_HUGEPAGE) }
        #endif
        let block = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
        while blocks.count <= slot { blocks.append(nil) }
        blocks[slot] = block
        return block
    }

    func willWrite(slot: Int) {}

    func free(slot: Int) {
        guard slot < blocks.count, let block = blocks[slot] else { return }
        munmap(block.baseAddress, block.count)
        blocks[slot] = nil
    }

    deinit { for slot in blocks.indices { free(slot: slot) } }
}
