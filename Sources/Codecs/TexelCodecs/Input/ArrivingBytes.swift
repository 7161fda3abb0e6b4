import Synchronization
public import TexelCore
import TexelPixels

/// The bytes of a file while they arrive, at a fixed address, so that codecs read them in place.
///
/// One producer appends bytes, then calls ``finish()`` or ``fail()``. It never blocks, so it may run on any thread,
/// including a task's.
///
/// Readers are decoders, each on a thread that may block. A reader that has used all bytes waits until more arrive,
/// until ``finish()`` (the file is then complete, or truncated), until ``fail()``, or until its `StopToken` has a
/// reason to stop. The check is polled on every change, on ``wake()``, and every 40 milliseconds otherwise.
///
/// The count is published with release and acquire ordering, so reading takes no lock. Appending takes a lock only to
/// wake waiting readers; otherwise it makes system calls only when the memory grows, by doubling.
///
/// Unchecked because of the memory: bytes are written only after those that readers know of, and only the producer
/// changes the reservation.
public final class ArrivingBytes: @unchecked Sendable {
    private let memory: ReservedMemory
    private let capacity: Int
    private let headCheck: HeadCheck?
    private let arrived = Atomic(0)
    private let ending = Atomic(Ending.none.rawValue)
    /// The number of threads that wait or are about to.
    private let waiting = Atomic(0)
    /// The number of calls of ``wake()``.
    private let wakes = Atomic(0)
    /// Counts the signals to waiting readers; the changes themselves are in the atomics above. (An empty state would
    /// share its address with the monitor, and the thread sanitizer would report races.)
    private let changes = Monitor(0)

    private enum Ending: Int { case none, finished, failed }

    /// The interval of polling the stop token while no change is signalled.
    private static let patience = Duration.milliseconds(40)

    /// Checks the first bytes, so that a stream that is not an image ends there.
    package struct HeadCheck: Sendable {
        let byteCount: Int
        let check: @Sendable (UnsafeRawBufferPointer) throws(TexelError) -> Void

        /// - Parameters:
        ///   - byteCount: how many bytes are checked; fewer that are the whole input are not.
        ///   - check: throws if no image begins with the bytes.
        package init(
            byteCount: Int, check: @escaping @Sendable (UnsafeRawBufferPointer) throws(TexelError) -> Void
        ) {
            self.byteCount = byteCount
            self.check = check
        }
    }

    /// Reserves the memory.
    ///
    /// - Parameters:
    ///   - expectedCount: the announced size in bytes; more bytes are refused. `nil` if unknown.
    ///   - limit: the maximum size in bytes.
    /// - Throws: `limitExceeded` if `expectedCount` exceeds `limit`; `outOfMemory`.
    public convenience init(expectedCount: Int?, limit: Int) throws(TexelError) {
        try self.init(expectedCount: expectedCount, limit: limit, headCheck: nil)
    }

    /// Reserves the memory for bytes whose beginning is checked when it has arrived.
    package init(expectedCount: Int?, limit: Int, headCheck: HeadCheck?) throws(TexelError) {
        self.headCheck = headCheck
        if let expectedCount, expectedCount > limit {
            throw .limitExceeded(.inputBytes, value: expectedCount, allowed: limit)
        }
        capacity = expectedCount ?? limit
        guard let memory = ReservedMemory(byteCount: capacity) else { throw .outOfMemory }
        self.memory = memory
    }

    // MARK: The producer

    /// Appends bytes; must be called by one thread at a time. Does nothing after ``finish()`` or ``fail()``.
    ///
    /// - Throws: `limitExceeded` if there are too many bytes; `outOfMemory`; the error of a check of the first bytes.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(TexelError) {
        guard let start = bytes.baseAddress, bytes.count > 0,
            ending.load(ordering: .acquiring) == Ending.none.rawValue
        else { return }
        let count = arrived.load(ordering: .relaxed)
        guard bytes.count <= capacity - count else {
            throw .limitExceeded(.inputBytes, value: count + bytes.count, allowed: capacity)
        }
        guard memory.makeWritable(count + bytes.count) else { throw .outOfMemory }
        (memory.base + count).copyMemory(from: start, byteCount: bytes.count)
        if let headCheck, count < headCheck.byteCount, count + bytes.count >= headCheck.byteCount {
            try headCheck.check(UnsafeRawBufferPointer(start: memory.base, count: headCheck.byteCount))
        }
        arrived.store(count + bytes.count, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// Ends the input: the bytes so far are the file.
    public func finish() { end(.finished) }

    /// Ends the input with a failure: readers that need more bytes throw `stopped(.sourceFailed)`.
    public func fail() { end(.failed) }

    /// Ends the input unless it has ended before.
    private func end(_ how: Ending) {
        _ = ending.compareExchange(
            expected: Ending.none.rawValue, desired: how.rawValue, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// Makes waiting readers poll their stop token now. Call it when the answer of a polled closure changes.
    public func wake() {
        wakes.add(1, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// Signals waiting readers.
    ///
    /// The producer stores its change and then reads `waiting`; a reader increments `waiting` and then reads the
    /// changes. With sequential consistency at least one of them sees the other. The reader holds the monitor between
    /// its last look and its sleep, so it cannot miss the signal.
    private func wakeWaiting() {
        guard waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
        changes.update { $0 &+= 1 }
    }

    // MARK: Readers

    /// The number of bytes that have arrived.
    public var count: Int { arrived.load(ordering: .acquiring) }

    /// The size of the file in bytes; `nil` before ``finish()``.
    public var wholeCount: Int? {
        // Read the ending before the count: the last bytes are published before the end.
        ending.load(ordering: .acquiring) == Ending.finished.rawValue ? count : nil
    }

    /// The address of the first byte; ``count`` bytes may be read.
    var base: UnsafeRawPointer { UnsafeRawPointer(memory.base) }

    /// Waits until `count` bytes or the end of the file have arrived.
    ///
    /// - Returns: the number of bytes that have arrived; less than `count` only at the end of the file.
    /// - Throws: `stopped`.
    func wait(for count: Int, _ stop: StopToken?) throws(TexelError) -> Int {
        while true {
            let seenWakes = wakes.load(ordering: .sequentiallyConsistent)
            let seenEnding = ending.load(ordering: .sequentiallyConsistent)
            let there = arrived.load(ordering: .sequentiallyConsistent)
            if there >= count || seenEnding == Ending.finished.rawValue { return there }
            if seenEnding == Ending.failed.rawValue { throw .stopped(.sourceFailed) }
            // Poll without holding the lock: the check may take locks of its own.
            try stop?.check()
            waitForChange(since: there, seenWakes)
        }
    }

    /// Waits until something has changed, or for at most one polling interval.
    private func waitForChange(since seenCount: Int, _ seenWakes: Int) {
        waiting.add(1, ordering: .sequentiallyConsistent)
        changes.wait(atMost: Self.patience) { _ in
            arrived.load(ordering: .sequentiallyConsistent) != seenCount
                || ending.load(ordering: .sequentiallyConsistent) != Ending.none.rawValue
                || wakes.load(ordering: .sequentiallyConsistent) != seenWakes ? () : nil
        }
        waiting.subtract(1, ordering: .sequentiallyConsistent)
    }
}
