import Synchronization

/// Runs tasks on the test's thread and only on request: once no jobs are left, the system is quiescent. Operators start
/// their tasks on their consumer's executor, so those run here too.
final class ManualExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    var isIdle: Bool { jobs.withLock { $0.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs one of the pending jobs, chosen by `choose` given their number.
    ///
    /// - Returns: `false` if there is none.
    @discardableResult
    func step(choosing choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let job = jobs.withLock { jobs in jobs.isEmpty ? nil : jobs.remove(at: choose(jobs.count)) }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    /// Runs jobs until none is left.
    func settle(choosing choose: (Int) -> Int = { _ in 0 }) {
        while step(choosing: choose) {}
    }
}
