/// Work that is divided into parts, which several threads run in parallel.
package protocol BandJob: AnyObject, Sendable {
    var partCount: Int { get }

    /// Runs one part. Each part runs once.
    ///
    /// - Parameter member: The index of the thread; a thread runs one part at a time.
    func run(part: Int, member: Int)
}

/// A group of threads that share the work of one frame at a time, together with the calling thread.
///
/// Between frames the threads sleep. Nothing is allocated for a frame.
package final class BandThreadGroup: Sendable {
    /// The number of threads, including the caller.
    package let size: Int
    private let state = Monitor(State())

    private struct State {
        var job: (any BandJob)?
        /// The next part that has not been started.
        var nextPart = 0
        var partCount = 0
        var unfinishedCount = 0
        var isDismissed = false

        mutating func takePart() -> Int? {
            guard nextPart < partCount else { return nil }
            nextPart += 1
            return nextPart - 1
        }
    }

    /// Starts the threads.
    ///
    /// - Parameter size: The number of threads, including the caller. If fewer can be started, the remaining ones share
    ///   the work.
    package init(size: Int) {
        self.size = max(1, size)
        for member in 1..<self.size {
            // The threads capture only the shared state, so that they do not retain the group.
            let state = state
            WorkerThread { Self.serve(state, member) }?.detach()
        }
    }

    /// Ends the threads.
    package func dismiss() { state.update { $0.isDismissed = true } }

    /// Runs all parts of a job and blocks until the last has finished.
    package func run(_ job: any BandJob) {
        state.update { state in
            state.job = job
            state.nextPart = 0
            state.partCount = job.partCount
            state.unfinishedCount = job.partCount
        }
        while let part = state.withLock({ $0.takePart() }) {
            job.run(part: part, member: 0)
            state.withLock { $0.unfinishedCount -= 1 }
        }
        state.wait { state -> Void? in
            guard state.unfinishedCount == 0 else { return nil }
            state.job = nil
            return ()
        }
    }

    private struct Part {
        var job: any BandJob
        var number: Int
    }

    private static func serve(_ state: Monitor<State>, _ member: Int) {
        while true {
            let part = state.wait { state -> Part?? in
                if state.isDismissed { return .some(nil) }
                guard let job = state.job, let number = state.takePart() else { return nil }
                return Part(job: job, number: number)
            }
            guard let part else { return }
            part.job.run(part: part.number, member: member)
            state.update { $0.unfinishedCount -= 1 }
        }
    }
}
