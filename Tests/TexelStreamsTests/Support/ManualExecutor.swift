import Synchronization

/// Runs tasks only when the test says so, in the test's own thread: when it has nothing left to run, everything is
/// quiescent. Operators start their tasks where their consumer runs, so theirs come here too.
final class ManualExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    var isIdle: Bool { jobs.withLock { $0.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs one of the jobs that wait, chosen by `choose` from their number.
    ///
    /// - Returns: false where none waited.
    @discardableResult
    func step(choosing choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let job = jobs.withLock { jobs in jobs.isEmpty ? nil : jobs.remove(at: choose(jobs.count)) }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    /// Runs until nothing is left to run.
    func settle(choosing choose: (Int) -> Int = { _ in 0 }) {
        while step(choosing: choose) {}
    }
}
