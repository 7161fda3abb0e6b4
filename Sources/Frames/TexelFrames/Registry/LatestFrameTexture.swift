import Synchronization

/// A texture that holds the latest complete frame. Any number of producers publish frames, and any number of consumers
/// get shared holds of the latest.
///
/// Frames are replaced whole, so no consumer sees a partly written frame. Neither side ever waits for the other, not
/// even for a thread that was preempted midway: publishing is one atomic exchange, getting a frame is one atomic add.
/// Nothing is allocated after initialisation. A frame that a consumer holds keeps its buffer out of the pool.
///
/// Algorithm: a published frame is stored in one of 32 cells. The word `current` holds the number of its cell and the
/// number of times the cell was acquired, so that a consumer learns the cell and registers itself in one step. The
/// consumer then shares the frame and decrements the cell's `balance`. A producer exchanges `current`, reads from the
/// old word how often the old cell was acquired, and adds that number to the old cell's `balance`. Before that addition
/// the balance is minus the number of consumers that are done; after it, the number that are not. So exactly one
/// thread, the producer or the last consumer, brings it to zero, and no other thread accesses the cell afterwards. That
/// thread empties the cell and marks it vacant. A consumer is in at most one cell at a time, so producers find a vacant
/// cell unless 31 threads are preempted in different cells.
public final class LatestFrameTexture: Texture {
    /// Upper 8 bits: the number of the cell. Lower 56 bits: how often it was acquired.
    private let current = Atomic(LatestFrameTexture.nothing)
    /// One bit for each cell; set if the cell holds no frame.
    private let vacant = Atomic(UInt32.max)
    private let cells = (0..<LatestFrameTexture.cellCount).map { _ in Cell() }
    private let onUnregistered: (@Sendable () -> Void)?

    private static let cellCount = UInt32.bitWidth
    private static let takenBits = 56
    private static let nothing = UInt64(cellCount) << takenBits

    /// Unchecked because of `frame`: it is written only by the thread that cleared the cell's bit in `vacant`, and by
    /// the thread that brought `balance` to zero; it is read only between those two writes.
    private final class Cell: @unchecked Sendable {
        var frame: Frame?
        let balance = Atomic(0)
    }

    /// Creates a texture without a frame.
    ///
    /// - Parameter onUnregistered: Called once for each registration, after the last consumer has finished its call.
    public init(onUnregistered: (@Sendable () -> Void)? = nil) { self.onUnregistered = onUnregistered }

    /// Makes `frame` the latest. The previous one returns to its pool as soon as its last hold ends.
    ///
    /// - Returns: Whether the frame was published. It is dropped if 31 threads were preempted inside ``latestFrame()``.
    @discardableResult
    public func publish(_ frame: consuming Frame) -> Bool {
        guard let number = takeVacantCell() else { return false }
        cells[number].frame = consume frame
        replace(by: UInt64(number) << Self.takenBits)
        return true
    }

    /// Returns a shared hold of the latest frame; `nil` before the first.
    public func latestFrame() -> Frame? {
        let word = current.add(1, ordering: .acquiring).oldValue
        let number = Int(word >> Self.takenBits)
        guard number < Self.cellCount else { return nil }
        let cell = cells[number]
        let frame = cell.frame?.shared()
        if cell.balance.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { vacate(number) }
        return frame
    }

    /// Releases the latest frame. ``latestFrame()`` returns `nil` until the next is published.
    public func clear() { replace(by: Self.nothing) }

    public func copyPixelBuffer() -> Frame? { latestFrame() }

    /// Releases the latest frame and calls `onUnregistered`. Frames may be published again for another registration.
    public func textureUnregistered() {
        clear()
        onUnregistered?()
    }

    private func replace(by word: UInt64) {
        let former = current.exchange(word, ordering: .acquiringAndReleasing)
        let number = Int(former >> Self.takenBits)
        guard number < Self.cellCount else { return }
        let taken = Int(former & (1 << Self.takenBits - 1))
        if cells[number].balance.add(taken, ordering: .acquiringAndReleasing).newValue == 0 { vacate(number) }
    }

    /// Reserves a vacant cell; `nil` if there is none. Only producers compete for cells.
    private func takeVacantCell() -> Int? {
        while true {
            let number = vacant.load(ordering: .relaxed).trailingZeroBitCount
            guard number < Self.cellCount else { return nil }
            let bit = UInt32(1) << UInt32(number)
            if vacant.bitwiseAnd(~bit, ordering: .acquiring).oldValue & bit != 0 { return number }
        }
    }

    private func vacate(_ number: Int) {
        cells[number].frame = nil
        vacant.bitwiseOr(UInt32(1) << UInt32(number), ordering: .releasing)
    }
}
