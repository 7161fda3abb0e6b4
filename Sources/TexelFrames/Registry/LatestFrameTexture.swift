import Synchronization

/// A texture that shows the latest complete frame: producers put frames in, any number of consumers take holds of it.
///
/// A frame is replaced whole, so that nobody ever sees half of one. Neither side waits for the other, not even for one
/// that was interrupted in the middle: publishing is one exchange of a word, taking a frame one addition to it. Nothing
/// is allocated after the texture is made. A consumer that keeps its frames keeps their buffers from the pool; what is
/// published then depends on what the pool has left.
///
/// How it works. A published frame lies in one of 32 cells. `current` names its cell and counts how many were taken
/// from it, both in one word, so that a consumer names the cell and announces itself in one step. It makes its hold of
/// the frame, then lowers the cell's `balance`. A producer replaces the whole word, thereby learns how many there ever
/// were, and adds that to the balance of the cell it took out. So before that step the balance is minus the number of
/// consumers that are done, afterwards the number that are not: it is brought to zero by exactly one of them, the
/// producer or the last consumer, and only when no other will look at the cell again. That one empties the cell and
/// marks it vacant. As a consumer is in one cell at most, producers find a vacant one unless 31 threads stand still
/// between two instructions, each in a cell of its own.
public final class LatestFrameTexture: Texture {
    /// The number of the cell in the upper eight bits, how often it was taken from in the others.
    private let current = Atomic(LatestFrameTexture.nothing)
    /// A bit for each cell that holds no frame.
    private let vacant = Atomic(UInt32.max)
    private let cells = (0..<LatestFrameTexture.cellCount).map { _ in Cell() }
    private let onUnregistered: (@Sendable () -> Void)?

    private static let cellCount = UInt32.bitWidth
    private static let takenBits = 56
    private static let nothing = UInt64(cellCount) << takenBits

    /// Unchecked because of the frame: it is written by whoever made the cell's bit of `vacant` zero, and by whoever
    /// brought the balance to zero; it is read only in between.
    private final class Cell: @unchecked Sendable {
        var frame: Frame?
        let balance = Atomic(0)
    }

    /// - Parameter onUnregistered: called once for each registration, when no consumer looks at the texture any more.
    public init(onUnregistered: (@Sendable () -> Void)? = nil) { self.onUnregistered = onUnregistered }

    /// From now on `frame` is the latest. What was the latest goes back to its pool as soon as nobody holds it.
    ///
    /// - Returns: Whether the frame can be seen. It is let go unseen where 31 threads were interrupted in the middle of
    ///   ``latestFrame()``.
    @discardableResult
    public func publish(_ frame: consuming Frame) -> Bool {
        guard let number = takeVacantCell() else { return false }
        cells[number].frame = consume frame
        replace(by: UInt64(number) << Self.takenBits)
        return true
    }

    /// Another hold of the latest frame; `nil` before the first.
    public func latestFrame() -> Frame? {
        let word = current.add(1, ordering: .acquiring).oldValue
        let number = Int(word >> Self.takenBits)
        guard number < Self.cellCount else { return nil }
        let cell = cells[number]
        let frame = cell.frame?.shared()
        if cell.balance.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { vacate(number) }
        return frame
    }

    /// Lets the latest frame go. There is none until the next is published.
    public func clear() { replace(by: Self.nothing) }

    public func copyPixelBuffer() -> Frame? { latestFrame() }

    /// Lets the latest frame go. Frames may be published again, for another registration; the last of them is kept.
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

    /// Another producer may be faster, a consumer never takes a cell.
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
