#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a pool's buffers lie: memory of this process, or memory that another process may map as well.
///
/// A pool calls it under its own lock, one call at a time.
protocol FrameMemory: AnyObject, Sendable {
    /// Page-aligned memory for the buffer of this number, at least `byteCount` bytes; what the number had before is
    /// given up, also where there is none.
    func allocate(slot: Int, byteCount: Int) throws(FrameError) -> UnsafeMutableRawBufferPointer

    /// The buffer of this number is about to be written: nobody may take it for a frame any more.
    func willWrite(slot: Int)

    /// Gives up the memory of this number.
    func free(slot: Int)

    /// Whether the buffer that came back first is used first, so that its last frame can be seen as long as possible,
    /// and not the latest, which is the likeliest to be in a cache still.
    var isRing: Bool { get }
}

extension FrameMemory {
    var isRing: Bool { false }
}

/// Anonymous pages, of two megabytes each where the system has them.
///
/// Unchecked because of the pointers: the pool's lock guards them.
final class PrivateFrameMemory: FrameMemory, @unchecked Sendable {
    private var blocks: [UnsafeMutableRawBufferPointer?] = []

    func allocate(slot: Int, byteCount: Int) throws(FrameError) -> UnsafeMutableRawBufferPointer {
        free(slot: slot)
        guard byteCount > 0,
            let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != MAP_FAILED
        else { throw .outOfMemory(byteCount: byteCount) }
        #if os(Linux)
            // A refusal costs only time.
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
