import Dispatch

/// Runs reports of a batch on a thread of its own, because writing to a terminal or a pipe may block for any time and
/// must not delay the work.
@globalActor actor Reporting {
    static let shared = Reporting()

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A serial queue, which has a thread while there is something to do.
    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "texel.reporting")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}
