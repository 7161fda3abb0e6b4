import Dispatch
import Synchronization

/// Runs independent jobs on several threads; each thread takes the next job. The result does not depend on their number.
package enum ParallelJobs {
    private struct State<Failure: Error>: Sendable {
        var next = 0
        var failure: Failure?

        mutating func take(_ count: Int) -> Int? {
            guard failure == nil, next < count else { return nil }
            next += 1
            return next - 1
        }
    }

    /// Runs the jobs 0..<`count`, in any order. Stops at the first error and throws it.
    ///
    /// - Parameter threads: the maximum number of threads, including the calling one, which does all the work if no
    ///   other is available.
    package static func forEach<Failure: Error>(
        _ count: Int, threads: Int, _ job: @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure) {
        let state = Mutex(State<Failure>())
        let threads = min(threads, count)
        if threads > 1 {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in work(state, count, job) }
        } else {
            work(state, count, job)
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private static func work<Failure: Error>(
        _ state: borrowing Mutex<State<Failure>>, _ count: Int, _ job: (Int) throws(Failure) -> Void
    ) {
        do throws(Failure) {
            while let index = state.withLock({ $0.take(count) }) { try job(index) }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    /// Returns the results of the jobs 0..<`count`, in this order. Stops at the first error and throws it.
    ///
    /// - Parameter threads: as for ``forEach(_:threads:_:)``.
    package static func map<Value: Sendable, Failure: Error>(
        _ count: Int, threads: Int, _ job: @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let values = Mutex([Value?](repeating: nil, count: count))
        try forEach(count, threads: threads) { index throws(Failure) in
            let value = try job(index)
            values.withLock { $0[index] = value }
        }
        return values.withLock { $0.compactMap(\.self) }
    }
}
