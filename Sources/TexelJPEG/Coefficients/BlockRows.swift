import TexelCodecs
import TexelPixels

/// Runs work on rows of blocks, on several threads if allowed. Rows must be independent, so that the result does not
/// depend on the number of threads.
struct BlockRows: Sendable {
    /// The maximum number of threads.
    let parallelism: Int
    /// Polled before each row.
    let stop: StopToken?
    /// Receives the progress of counted rows.
    var progress: EncodingProgress?

    /// Calls `body` once for each row, in any order. Polls the stop token before each row.
    ///
    /// - Parameter isCounted: whether the rows count as progress.
    /// - Throws: `stopped`, or the first error of `body`.
    func forEach(
        _ count: Int, isCounted: Bool = false, _ body: @Sendable (_ row: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        let progress = isCounted ? progress : nil
        try ParallelJobs.forEach(count, threads: parallelism) { row throws(CodecError) in
            try stop?.check()
            try body(row)
            progress?.advance()
        }
    }
}
