import TexelCodecs
public import TexelCore
import TexelPixels

/// A pool of page-aligned buffers for frames. Once every buffer has been allocated, a lease costs no allocation.
///
/// There are at most ``capacity`` buffers. ``lease(byteCount:)`` blocks until one is free, ``leaseIfFree(byteCount:)``
/// does not. A buffer grows when more bytes are requested than it has.
public final class FramePool: Sendable {
    /// The maximum number of buffers.
    public let capacity: Int

    private let memory: any FrameMemory
    private let state: Monitor<State>

    private struct State {
        /// The last element is the buffer returned last, which is the most likely to be cached.
        var free: [FrameBuffer] = []
        var blocks: [UnsafeMutableRawBufferPointer] = []
        var isClosed = false
    }

    /// Creates a pool of at most `capacity` buffers, at least one. Memory is allocated with the first lease of each.
    public convenience init(capacity: Int) { self.init(capacity: capacity, memory: PrivateFrameMemory()) }

    init(capacity: Int, memory: any FrameMemory) {
        self.capacity = max(1, capacity)
        self.memory = memory
        var state = State()
        state.free.reserveCapacity(self.capacity)
        state.free = (0..<self.capacity).reversed().map { FrameBuffer(slot: $0) }
        state.blocks = Array(
            repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0), count: self.capacity)
        self.state = Monitor(state)
    }

    deinit { for slot in 0..<capacity { memory.free(slot: slot) } }

    /// The number of buffers that are not in use, including those without memory.
    public var freeCount: Int { state.withLock { $0.free.count } }

    /// The memory of all buffers, in bytes.
    public var byteCount: Int { state.withLock { $0.blocks.reduce(0) { $0 + $1.count } } }

    /// Allocates the memory of all free buffers and writes to every page. Otherwise the page faults of first use would
    /// delay the first frames of a live stream.
    ///
    /// - Throws: As a lease does.
    func prepare(byteCount: Int) throws(TexelError) {
        try state.withLock { (state) throws(TexelError) in
            for buffer in state.free {
                let block = try block(for: buffer, byteCount: byteCount, &state)
                block.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
    }

    /// Returns a lease of at least `byteCount` bytes with undefined contents; `nil` if all buffers are in use.
    ///
    /// - Throws: `outOfMemory`; `unsupported` if the slots of shared memory are smaller.
    public func leaseIfFree(byteCount: Int) throws(TexelError) -> FrameLease? {
        try state.withLock { (state) throws(TexelError) -> FrameLease? in
            guard let buffer = takeFree(&state) else { return nil }
            return try begin(buffer, byteCount: byteCount, &state)
        }
    }

    /// Blocks until a buffer is free and returns a lease of at least `byteCount` bytes; `nil` after ``close()``.
    ///
    /// - Throws: `outOfMemory`; `unsupported` if the slots of shared memory are smaller.
    public func lease(byteCount: Int) throws(TexelError) -> FrameLease? {
        let taken: FrameBuffer?? = state.wait { state -> FrameBuffer?? in
            if state.isClosed { return .some(nil) }
            return takeFree(&state).map { .some($0) }
        }
        guard let buffer = taken ?? nil else { return nil }
        // `update`, not `withLock`: after a failed allocation the buffer is free again, and waiting threads must be
        // woken.
        return try state.update { (state) throws(TexelError) -> FrameLease in
            try begin(buffer, byteCount: byteCount, &state)
        }
    }

    /// Blocks until a buffer is free and returns a lease of at least `byteCount` bytes; `nil` within 50 ms of a stop.
    ///
    /// - Throws: `outOfMemory`; `unsupported` if the slots of shared memory are smaller.
    func lease(byteCount: Int, _ stop: StopToken) throws(TexelError) -> FrameLease? {
        while !stop.isStopped {
            guard let buffer = state.wait(atMost: .milliseconds(50), { takeFree(&$0) }) else { continue }
            return try state.update { (state) throws(TexelError) -> FrameLease in
                try begin(buffer, byteCount: byteCount, &state)
            }
        }
        return nil
    }

    /// Ends the waits of ``lease(byteCount:)``, which then returns `nil`. Buffers in use are still returned to the
    /// pool.
    public func close() { state.update { $0.isClosed = true } }

    private func takeFree(_ state: inout State) -> FrameBuffer? {
        memory.isRing && !state.free.isEmpty ? state.free.removeFirst() : state.free.popLast()
    }

    private func begin(
        _ buffer: FrameBuffer, byteCount: Int, _ state: inout State
    ) throws(TexelError) -> FrameLease {
        let block: UnsafeMutableRawBufferPointer
        do throws(TexelError) {
            block = try self.block(for: buffer, byteCount: byteCount, &state)
        } catch {
            state.free.append(buffer)
            throw error
        }
        memory.willWrite(slot: buffer.slot)
        buffer.begin(in: self, memory: block)
        return FrameLease(holding: buffer)
    }

    /// Replaces the memory of a buffer that is held once. After a failure it has none.
    func grow(_ buffer: FrameBuffer, to byteCount: Int) throws(TexelError) {
        try state.withLock { (state) throws(TexelError) in
            buffer.replaceMemory(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            buffer.replaceMemory(try block(for: buffer, byteCount: byteCount, &state))
        }
    }

    private func block(
        for buffer: FrameBuffer, byteCount: Int, _ state: inout State
    ) throws(TexelError) -> UnsafeMutableRawBufferPointer {
        let block = state.blocks[buffer.slot]
        if block.count >= byteCount { return block }
        // The old memory is freed first, to limit the peak.
        state.blocks[buffer.slot] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let larger = try memory.allocate(slot: buffer.slot, byteCount: byteCount)
        state.blocks[buffer.slot] = larger
        return larger
    }

    func takeBack(_ buffer: FrameBuffer) { state.update { $0.free.append(buffer) } }
}
