import Synchronization

/// One of a pool's buffers: some memory, and how many hold it.
///
/// Unchecked because of `memory` and `pool`: they change only while nobody holds the buffer, under the pool's lock; the
/// bytes are written by the only holder and read by several.
final class FrameBuffer: @unchecked Sendable {
    /// The number of the buffer in its pool.
    let slot: Int
    fileprivate(set) var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The pool, which must live as long as somebody holds the buffer; `nil` while nobody does.
    private var pool: FramePool?
    private let holderCount = Atomic(0)

    init(slot: Int) { self.slot = slot }

    var isHeldOnce: Bool { holderCount.load(ordering: .acquiring) == 1 }

    func retain() { holderCount.add(1, ordering: .relaxed) }

    /// Lets go; the last holder gives the buffer back.
    func release() {
        guard holderCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        // The local reference keeps the pool until it has its buffer back.
        let pool = pool.take()
        pool?.takeBack(self)
    }

    /// The first holder takes the buffer from its pool.
    func begin(in pool: FramePool, memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
        self.pool = pool
        holderCount.store(1, ordering: .relaxed)
    }

    /// At least this much memory; for the only holder.
    func grow(to byteCount: Int) throws(FrameError) {
        guard memory.count < byteCount, let pool else { return }
        try pool.grow(self, to: byteCount)
    }

    func replaceMemory(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }
}
