import Dispatch

/// Where reports of a batch are made: on a thread of its own, because a terminal or a pipe may keep it waiting for as
/// long as it likes, and the work must go on meanwhile.
@globalActor actor Reporting {
    static let shared = Reporting()

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A serial queue, which has a thread whenever there is something to do.
    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "texel.reporting")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}
