import Synchronization

/// Runs independent jobs on several threads; each thread takes the next job. The result does not depend on their
/// number.
package enum ParallelJobs {
    /// The next job, and the error of one that failed.
    private final class State<Failure: Error>: Sendable {
        private let state = Mutex<(next: Int, failure: Failure?)>((0, nil))
        private let count: Int

        init(count: Int) { self.count = count }

        var failure: Failure? { state.withLock { $0.failure } }

        func run(_ job: (Int) throws(Failure) -> Void) {
            do throws(Failure) {
                while let index = take() { try job(index) }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }

        private func take() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }
    }

    /// Runs the jobs 0..<`count`, in any order. Stops at the first error and throws it.
    ///
    /// - Parameter threads: the maximum number of threads, including the calling one, which does all the work if no
    ///   other is available.
    package static func forEach<Failure: Error>(
        _ count: Int, threads: Int, _ job: @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure) {
        let otherCount = min(threads, count) - 1
        guard otherCount > 0 else {
            for index in 0..<count { try job(index) }
            return
        }
        let state = State<Failure>(count: count)
        withoutActuallyEscaping(job) { job in
            let others = (0..<otherCount).map { _ in HelperThreads.begin { state.run(job) } }
            state.run(job)
            for work in others { work.end() }
        }
        if let failure = state.failure { throw failure }
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

    /// Returns the values of many elements, in their order, of which each takes little more than a system call.
    package static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ value: @Sendable (Element) -> Value
    ) -> [Value] {
        let size = 256
        let partCount = (elements.count + size - 1) / size
        let parts = map(partCount, threads: partCount) { part in
            elements.dropFirst(part * size).prefix(size).map(value)
        }
        return Array(parts.joined())
    }
}
