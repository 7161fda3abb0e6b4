import Synchronization
import TexelCore

/// A buffer of a pool: its memory and the number of its holds.
///
/// Unchecked because of `memory` and `pool`: they change only while the buffer has at most one hold, under the pool's
/// lock; the bytes are written by the only holder and read by several.
final class FrameBuffer: @unchecked Sendable {
    /// The index of the buffer in its pool.
    let slot: Int
    fileprivate(set) var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The pool, kept alive while the buffer is held; `nil` otherwise.
    private var pool: FramePool?
    private let holderCount = Atomic(0)

    init(slot: Int) { self.slot = slot }

    var isHeldOnce: Bool { holderCount.load(ordering: .acquiring) == 1 }

    func retain() { holderCount.add(1, ordering: .relaxed) }

    /// Releases a hold; the last release returns the buffer to its pool.
    func release() {
        guard holderCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        // The local reference keeps the pool alive until the buffer is returned.
        let pool = pool.take()
        pool?.takeBack(self)
    }

    /// Sets up the first hold of the buffer.
    func begin(in pool: FramePool, memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
        self.pool = pool
        holderCount.store(1, ordering: .relaxed)
    }

    /// Ensures that the buffer has at least this many bytes. Requires the only hold.
    func grow(to byteCount: Int) throws(TexelError) {
        guard memory.count < byteCount, let pool else { return }
        try pool.grow(self, to: byteCount)
    }

    func replaceMemory(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }
}
