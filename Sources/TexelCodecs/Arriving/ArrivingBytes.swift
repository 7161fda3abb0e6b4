import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The bytes of a file while they arrive, at an address that does not move.
///
/// Unchecked because of the raw pointer: bytes are only written behind those that readers have been told of.
public final class ArrivingBytes: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var count = 0
    }

    /// - Parameters:
    ///   - expectedCount: how many bytes were announced; more are refused.
    ///   - limit: how many may come at most.
    /// - Throws: `limitExceeded` where more are expected, `outOfMemory`.
    public init(expectedCount: Int?, limit: Int) throws(CodecError) {
        if let expectedCount, expectedCount > limit {
            throw .limitExceeded(.inputBytes, value: expectedCount, allowed: limit)
        }
        // Only pages that are written cost memory.
        capacity = max(1, expectedCount ?? limit)
        self.limit = limit
        let memory = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw .outOfMemory }
        base = memory
    }

    deinit { munmap(base, capacity) }

    /// How many have arrived.
    public var count: Int { state.withLock { $0.count } }

    /// Adds bytes behind those that are there.
    ///
    /// - Throws: `limitExceeded` where there are too many.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        let count = self.count
        guard bytes.count <= capacity - count else {
            throw .limitExceeded(.inputBytes, value: count + bytes.count, allowed: min(limit, capacity))
        }
        if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
        state.withLock { $0.count += bytes.count }
    }

    /// All that has arrived.
    package var bytes: InputBytes { InputBytes(UnsafeRawBufferPointer(start: base, count: count)) }
}
