import TexelCodecs
import Dispatch
import Synchronization

/// Runs independent jobs on several threads; each thread takes the next job.
enum ParallelJobs {
    private struct State<Value: Sendable>: Sendable {
        var next = 0
        var values: [Value?]
        var failure: CodecError?

        mutating func take() -> Int? {
            guard failure == nil, next < values.count else { return nil }
            next += 1
            return next - 1
        }
    }

    /// Returns the results of the jobs 0..<`count`, in this order. Stops at the first error and throws it.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of threads, including the calling one, which does all the work if no other is
    ///     available.
    ///   - progress: receives each completed job.
    static func run<Value: Sendable>(
        _ count: Int, threads: Int, progress: EncodingProgress? = nil,
        _ job: @Sendable (Int) throws(CodecError) -> Value
    ) throws(CodecError) -> [Value] {
        let state = Mutex(State<Value>(values: Array(repeating: nil, count: count)))
        let threads = min(threads, count)
        if threads > 1 {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in work(state, progress, job) }
        } else {
            work(state, progress, job)
        }
        let (values, failure) = state.withLock { ($0.values.compactMap(\.self), $0.failure) }
        if let failure { throw failure }
        return values
    }

    private static func work<Value: Sendable>(
        _ state: borrowing Mutex<State<Value>>, _ progress: EncodingProgress?, _ job: (Int) throws(CodecError) -> Value
    ) {
        while let index = state.withLock({ $0.take() }) {
            do throws(CodecError) {
                let value = try job(index)
                state.withLock { $0.values[index] = value }
                progress?.advance()
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }
}
