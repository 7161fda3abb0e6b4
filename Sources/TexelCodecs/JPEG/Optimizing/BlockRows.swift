import Dispatch
import Synchronization
import TexelPixels

/// Work on one row of blocks after the other, on several threads where there are some. What a row comes to must not
/// depend on other rows, so the bytes do not depend on the threads.
struct BlockRows: Sendable {
    /// How many threads may share the work.
    let parallelism: Int
    let stopCheck: StopCheck?
    /// Learns of each row that counts.
    var progress: EncodingProgress?

    private struct State {
        var next = 0
        var failure: CodecError?

        mutating func takeRow(_ count: Int) -> Int? {
            guard failure == nil, next < count else { return nil }
            next += 1
            return next - 1
        }
    }

    /// Calls `body` once for each row, in any order; asks before each whether to stop.
    ///
    /// - Parameter isCounted: whether the rows are among those that tell how far the work is.
    /// - Throws: `stopped`, and the first error of `body`.
    func forEach(
        _ count: Int, isCounted: Bool = false, _ body: @Sendable (_ row: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        let progress = isCounted ? progress : nil
        let state = Mutex(State())
        let threads = min(parallelism, count)
        if threads > 1 {
            // This thread works as well, and alone if there is no other.
            DispatchQueue.concurrentPerform(iterations: threads) { _ in work(state, count, progress, body) }
        } else {
            work(state, count, progress, body)
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func work(
        _ state: borrowing Mutex<State>, _ count: Int, _ progress: EncodingProgress?,
        _ body: (Int) throws(CodecError) -> Void
    ) {
        do throws(CodecError) {
            while let row = state.withLock({ $0.takeRow(count) }) {
                try stopCheck?.check()
                try body(row)
                progress?.advance()
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }
}
