package import TexelCore
import TexelPixels

/// Runs work on rows of blocks, on several threads if allowed. Rows must be independent, so that the result does not
/// depend on the number of threads.
package struct BlockRows: Sendable {
    /// The maximum number of threads.
    package let parallelism: Int
    /// Polled before each row.
    package let stop: StopToken?
    /// Receives the progress of counted rows.
    package var progress: EncodingProgress?

    package init(parallelism: Int, stop: StopToken?, progress: EncodingProgress? = nil) {
        (self.parallelism, self.stop, self.progress) = (parallelism, stop, progress)
    }

    /// Calls `body` once for each row, in any order. Polls the stop token before each row.
    ///
    /// - Parameter isCounted: whether the rows count as progress.
    /// - Throws: `stopped`, or the first error of `body`.
    package func forEach(
        _ count: Int, isCounted: Bool = false, _ body: @Sendable (_ row: Int) throws(TexelError) -> Void
    ) throws(TexelError) {
        let progress = isCounted ? progress : nil
        try ParallelJobs.forEach(count, threads: parallelism) { row throws(TexelError) in
            try stop?.check()
            try body(row)
            progress?.advance()
        }
    }

    /// Returns the results of `body` for each row, in this order. Polls the stop token before each row.
    ///
    /// - Throws: `stopped`, or the first error of `body`.
    package func map<Value: Sendable>(
        _ count: Int, _ body: @Sendable (_ row: Int) throws(TexelError) -> Value
    ) throws(TexelError) -> [Value] {
        try ParallelJobs.map(count, threads: parallelism) { row throws(TexelError) in
            try stop?.check()
            return try body(row)
        }
    }
}
