import TexelCodecs
import TexelCore
import TexelPixels

/// Rows that a thread of its own inflates, a few pieces ahead: inflating takes half of the time of decoding a
/// photograph, and nothing else can be divided among threads.
final class FilteredRowRing: FilteredRows {
    private let shared: SharedPieces
    private let thread: WorkerThread
    /// The number of pieces that were given back, and what is left of the next one.
    private var pieceIndex = 0
    private var (begin, end) = (0, 0)

    /// The least number of bytes that are worth a thread.
    static let leastByteCount = 1 << 20
    static let pieceSize = 128 << 10

    /// - Parameters:
    ///   - bytesPerRow: with the byte of the filter.
    ///   - leastByteCount: for fewer bytes `nil` is returned.
    ///   - pieceSize: the size of a piece in bytes, about; for longer rows `nil` is returned.
    /// - Returns: `nil` also if the system cannot create a thread.
    init?(
        _ inflater: Inflater, rowCount: Int, bytesPerRow: Int, leastByteCount: Int = leastByteCount,
        pieceSize: Int = pieceSize
    ) {
        let (count, isTooLarge) = rowCount.multipliedReportingOverflow(by: bytesPerRow)
        guard !isTooLarge, count >= leastByteCount, bytesPerRow <= pieceSize else { return nil }
        // An even number of rows, because two rows are unfiltered faster together.
        let rows = max(2, pieceSize / bytesPerRow / 2 * 2)
        let shared = SharedPieces(inflater, count: count, size: rows * bytesPerRow, bytesPerRow: bytesPerRow)
        guard let thread = WorkerThread({ shared.fill() }) else { return nil }
        self.shared = shared
        self.thread = thread
    }

    deinit {
        shared.abandon()
        thread.join()
    }

    var interruption: TexelError? { shared.interruption }

    func peek(_ count: Int) -> UnsafePointer<UInt8>? {
        if begin == end {
            if end > 0 {
                shared.giveBack()
                pieceIndex += 1
            }
            (begin, end) = (0, shared.waitForPiece(pieceIndex))
        }
        return end - begin >= count ? UnsafePointer(shared.piece(pieceIndex) + begin) : nil
    }

    func take(_ count: Int) { begin += count }

    func isAtEnd() -> Bool { begin == end && shared.waitForEnd() }
}

/// The pieces that both threads share.
///
/// Unchecked because of the memory and the inflater: a piece is touched by one thread at a time, the monitor hands it
/// over, and only the thread that fills pieces uses the inflater.
private final class SharedPieces: @unchecked Sendable {
    private struct State {
        var filledCount = 0
        var givenBackCount = 0
        /// The number of bytes in the last filled piece; all others are full.
        var lastSize = 0
        /// How filling ended; `nil` before.
        var end: (isSound: Bool, interruption: TexelError?)?
        var isAbandoned = false
    }

    private let inflater: Inflater
    private let count: Int
    private let size: Int
    private let bytesPerRow: Int
    private let memory: UnsafeMutablePointer<UInt8>
    private let state = Monitor(State())

    private static let pieceCount = 4

    /// - Parameters:
    ///   - count: the number of bytes of all rows.
    ///   - size: the number of bytes of a piece.
    init(_ inflater: Inflater, count: Int, size: Int, bytesPerRow: Int) {
        self.inflater = inflater
        self.count = count
        self.size = size
        self.bytesPerRow = bytesPerRow
        memory = .allocate(capacity: Self.pieceCount * (size + FilteredRowBuffer.margin))
    }

    deinit { memory.deallocate() }

    /// Returns the memory of a piece.
    func piece(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        memory + index % Self.pieceCount * (size + FilteredRowBuffer.margin)
    }

    // MARK: Filling

    /// Inflates all rows into pieces, as they become free.
    func fill() {
        for index in 0..<((count + size - 1) / size) {
            let isNeeded = state.wait { state -> Bool? in
                if state.isAbandoned { return false }
                return index - state.givenBackCount < Self.pieceCount ? true : nil
            }
            guard isNeeded else { return }
            let wanted = min(size, count - index * size)
            let found = inflate(wanted, into: piece(index))
            state.update { state in
                // Whole rows before a defect are valid.
                let valid = found / bytesPerRow * bytesPerRow
                if valid > 0 {
                    state.lastSize = valid
                    state.filledCount += 1
                }
                if found < wanted { state.end = (false, inflater.interruption) }
            }
            if found < wanted { return }
        }
        let isSound = inflater.isAtEnd()
        state.update { $0.end = (isSound, inflater.interruption) }
    }

    /// Returns the number of bytes, fewer than `count` before a defect.
    private func inflate(_ count: Int, into piece: UnsafeMutablePointer<UInt8>) -> Int {
        var done = 0
        while done < count, let added = inflater.inflate(into: piece + done, room: count - done) { done += added }
        return done
    }

    // MARK: Taking

    /// Waits until a piece is filled; returns its number of bytes, or 0 if there is no such piece.
    func waitForPiece(_ index: Int) -> Int {
        state.wait { state in
            if index < state.filledCount { return index == state.filledCount - 1 ? state.lastSize : size }
            return state.end == nil ? nil : 0
        }
    }

    /// Lets the oldest filled piece be filled again.
    func giveBack() { state.update { $0.givenBackCount += 1 } }

    /// Waits until everything is inflated; returns whether the stream ends after it.
    func waitForEnd() -> Bool { state.wait { $0.end?.isSound } }

    /// The error that ended the input, if it failed.
    var interruption: TexelError? { state.withLock { $0.end?.interruption } }

    /// Ends the filling.
    func abandon() { state.update { $0.isAbandoned = true } }
}
