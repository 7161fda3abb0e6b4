import TexelCodecs

/// Page-aligned buffers for frames, used again and again: once all have been made, a lease costs no allocation.
///
/// There are never more than ``capacity`` of them. Whoever wants another waits until one comes back, or does without.
/// A buffer grows when more bytes are asked of it than it has.
public final class FramePool: Sendable {
    /// How many buffers there may be at most.
    public let capacity: Int

    private let memory: any FrameMemory
    private let state: Monitor<State>

    private struct State {
        /// The latest to come back is the likeliest to be in a cache still.
        var free: [FrameBuffer] = []
        var blocks: [UnsafeMutableRawBufferPointer] = []
        var isClosed = false
    }

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

    /// How many buffers nobody holds, those included that were never made.
    public var freeCount: Int { state.withLock { $0.free.count } }

    /// The bytes of all buffers that were made.
    public var byteCount: Int { state.withLock { $0.blocks.reduce(0) { $0 + $1.count } } }

    /// Takes the memory of all buffers that nobody holds, and touches it: the system hands out fresh pages, cleared, one
    /// by one at their first touch, which a live stream's first frames would wait for.
    ///
    /// - Throws: as a lease does.
    func prepare(byteCount: Int) throws(FrameError) {
        try state.withLock { (state) throws(FrameError) in
            for buffer in state.free {
                let block = try block(for: buffer, byteCount: byteCount, &state)
                block.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
    }

    /// A buffer of at least `byteCount` bytes, whatever they are; `nil` when all are held.
    ///
    /// - Throws: `outOfMemory`; `unsupported` where shared memory has no room for as many bytes.
    public func leaseIfFree(byteCount: Int) throws(FrameError) -> FrameLease? {
        try state.withLock { (state) throws(FrameError) -> FrameLease? in
            guard let buffer = takeFree(&state) else { return nil }
            return try begin(buffer, byteCount: byteCount, &state)
        }
    }

    /// A buffer of at least `byteCount` bytes as soon as there is one; `nil` after ``close()``.
    ///
    /// - Throws: `outOfMemory`; `unsupported` where shared memory has no room for as many bytes.
    public func lease(byteCount: Int) throws(FrameError) -> FrameLease? {
        let taken: FrameBuffer?? = state.wait { state -> FrameBuffer?? in
            if state.isClosed { return .some(nil) }
            return takeFree(&state).map { .some($0) }
        }
        guard let buffer = taken ?? nil else { return nil }
        // A buffer that finds no memory comes back, and others may wait for it.
        return try state.update { (state) throws(FrameError) -> FrameLease in
            try begin(buffer, byteCount: byteCount, &state)
        }
    }

    /// A buffer of at least `byteCount` bytes as soon as there is one; `nil` once everything must end, which whoever
    /// waits notices within a twentieth of a second.
    ///
    /// - Throws: `outOfMemory`; `unsupported` where shared memory has no room for as many bytes.
    func lease(byteCount: Int, _ stop: FrameStop) throws(FrameError) -> FrameLease? {
        while !stop.isStopped {
            guard let buffer = state.wait(atMost: .milliseconds(50), { takeFree(&$0) }) else { continue }
            return try state.update { (state) throws(FrameError) -> FrameLease in
                try begin(buffer, byteCount: byteCount, &state)
            }
        }
        return nil
    }

    /// Those who wait for a buffer get none. Buffers that are held come back as ever.
    public func close() { state.update { $0.isClosed = true } }

    private func takeFree(_ state: inout State) -> FrameBuffer? {
        memory.isRing && !state.free.isEmpty ? state.free.removeFirst() : state.free.popLast()
    }

    private func begin(
        _ buffer: FrameBuffer, byteCount: Int, _ state: inout State
    ) throws(FrameError) -> FrameLease {
        let block: UnsafeMutableRawBufferPointer
        do throws(FrameError) {
            block = try self.block(for: buffer, byteCount: byteCount, &state)
        } catch {
            state.free.append(buffer)
            throw error
        }
        memory.willWrite(slot: buffer.slot)
        buffer.begin(in: self, memory: block)
        return FrameLease(holding: buffer)
    }

    /// More memory for a buffer that is held once, whatever was in it. Where there is none, it has none at all.
    func grow(_ buffer: FrameBuffer, to byteCount: Int) throws(FrameError) {
        try state.withLock { (state) throws(FrameError) in
            buffer.replaceMemory(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            buffer.replaceMemory(try block(for: buffer, byteCount: byteCount, &state))
        }
    }

    private func block(
        for buffer: FrameBuffer, byteCount: Int, _ state: inout State
    ) throws(FrameError) -> UnsafeMutableRawBufferPointer {
        let block = state.blocks[buffer.slot]
        if block.count >= byteCount { return block }
        // The former memory is given up first, so that a pool never has more than it needs.
        state.blocks[buffer.slot] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let larger = try memory.allocate(slot: buffer.slot, byteCount: byteCount)
        state.blocks[buffer.slot] = larger
        return larger
    }

    func takeBack(_ buffer: FrameBuffer) { state.update { $0.free.append(buffer) } }
}
