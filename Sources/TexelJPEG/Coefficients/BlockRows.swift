import TexelCodecs
import Dispatch
import Synchronization
import TexelPixels

/// Runs work on rows of blocks, on several threads if allowed. Rows must be independent, so that the result does not
/// depend on the number of threads.
struct BlockRows: Sendable {
    /// The maximum number of threads.
    let parallelism: Int
    /// Polled before each row.
    let stopCheck: StopCheck?
    /// Receives the progress of counted rows.
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

    /// Calls `body` once for each row, in any order. Polls the stop check before each row.
    ///
    /// - Parameter isCounted: whether the rows count as progress.
    /// - Throws: `stopped`, or the first error of `body`.
    func forEach(
        _ count: Int, isCounted: Bool = false, _ body: @Sendable (_ row: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        let progress = isCounted ? progress : nil
        let state = Mutex(State())
        let threads = min(parallelism, count)
        if threads > 1 {
            // The calling thread takes part, and does all the work if no other thread is available.
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
