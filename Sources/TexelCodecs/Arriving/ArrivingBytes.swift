import Synchronization

/// The bytes of a file while they arrive, at an address that does not move, so that codecs read them in place.
///
/// One producer appends and then says how it ended; any thread, a task's too, may be the producer, for it never waits.
/// Readers are decoders, each on a thread that may block: whenever one has used all bytes that are there, it waits
/// until more come, until ``finish()`` (from there on the file is what it is, whole or truncated), until ``fail()``, or
/// until its `StopCheck` says stop. That question is asked whenever something happens here, at each ``wake()``, and
/// some times a second while nothing does.
///
/// The count is published with release and acquire, so reading what is there takes no lock; appending takes one only to
/// wake those that wait, and makes no system call otherwise but when the memory grows, by doubling.
///
/// Unchecked because of the memory: bytes are only written behind those that readers have been told of, and the
/// reservation is touched by the producer alone.
public final class ArrivingBytes: @unchecked Sendable {
    private let memory: ReservedMemory
    private let capacity: Int
    private let arrived = Atomic(0)
    private let ending = Atomic(Ending.none.rawValue)
    /// How many threads wait or are about to.
    private let waiting = Atomic(0)
    /// How often ``wake()`` was called.
    private let wakes = Atomic(0)
    /// How often those that wait were told of changes, which are published above. (With an empty state, whose place is that
    /// of the monitor itself, the thread sanitizer sees races.)
    private let changes = Monitor(0)

    private enum Ending: Int { case none, finished, failed }

    /// Between two questions whether to stop, when nobody wakes the waiting thread.
    private static let patience = Duration.milliseconds(40)

    /// - Parameters:
    ///   - expectedCount: how many bytes were announced; more are refused.
    ///   - limit: how many may come at most.
    /// - Throws: `limitExceeded` where more are expected, `outOfMemory`.
    public init(expectedCount: Int?, limit: Int) throws(CodecError) {
        if let expectedCount, expectedCount > limit {
            throw .limitExceeded(.inputBytes, value: expectedCount, allowed: limit)
        }
        capacity = expectedCount ?? limit
        guard let memory = ReservedMemory(byteCount: capacity) else { throw .outOfMemory }
        self.memory = memory
    }

    // MARK: The producer

    /// Adds bytes behind those that are there; one thread at a time. After the end nothing is added.
    ///
    /// - Throws: `limitExceeded` where there are too many, `outOfMemory`.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard let start = bytes.baseAddress, bytes.count > 0,
            ending.load(ordering: .acquiring) == Ending.none.rawValue
        else { return }
        let count = arrived.load(ordering: .relaxed)
        guard bytes.count <= capacity - count else {
            throw .limitExceeded(.inputBytes, value: count + bytes.count, allowed: capacity)
        }
        guard memory.makeWritable(count + bytes.count) else { throw .outOfMemory }
        (memory.base + count).copyMemory(from: start, byteCount: bytes.count)
        arrived.store(count + bytes.count, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// No more bytes come: what is there is the file.
    public func finish() { end(.finished) }

    /// No more bytes come, and the file is not whole: whoever needs more of it ends with `stopped(.sourceFailed)`.
    public func fail() { end(.failed) }

    /// The first word stands.
    private func end(_ how: Ending) {
        _ = ending.compareExchange(
            expected: Ending.none.rawValue, desired: how.rawValue, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// Lets those that wait ask at once whether they must stop; for whoever changes the answer.
    public func wake() {
        wakes.add(1, ordering: .sequentiallyConsistent)
        wakeWaiting()
    }

    /// Either a reader that is about to wait sees what was just stored, or it is seen here: both sides store first and
    /// look then. Between its last look and its sleep it holds the monitor, so the signal cannot fall in between.
    private func wakeWaiting() {
        guard waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
        changes.update { $0 &+= 1 }
    }

    // MARK: Readers

    /// How many have arrived.
    public var count: Int { arrived.load(ordering: .acquiring) }

    /// How many there are, once ``finish()`` was called.
    public var wholeCount: Int? {
        // Asked in this order, for the last bytes come before the end.
        ending.load(ordering: .acquiring) == Ending.finished.rawValue ? count : nil
    }

    /// Where the first byte lies; as many as ``count`` says may be read.
    var base: UnsafeRawPointer { UnsafeRawPointer(memory.base) }

    /// Waits until `count` bytes are there, or the end.
    ///
    /// - Returns: how many are there: fewer than `count` only at the end.
    /// - Throws: `stopped`.
    func wait(for count: Int, _ stopCheck: StopCheck?) throws(CodecError) -> Int {
        while true {
            let seenWakes = wakes.load(ordering: .sequentiallyConsistent)
            let seenEnding = ending.load(ordering: .sequentiallyConsistent)
            let there = arrived.load(ordering: .sequentiallyConsistent)
            if there >= count || seenEnding == Ending.finished.rawValue { return there }
            if seenEnding == Ending.failed.rawValue { throw .stopped(.sourceFailed) }
            // Asked without the lock: the answer may take others.
            try stopCheck?.check()
            waitForChange(since: there, seenWakes)
        }
    }

    /// Sleeps for a while unless something has happened; what it was, the caller finds out.
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
