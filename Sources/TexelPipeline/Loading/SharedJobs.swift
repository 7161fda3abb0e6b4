import Synchronization

/// Work that is done once for all who ask for the same at the same time.
///
/// Whoever joins waits for the outcome of the one job that there is for a key. The job is as urgent as the most urgent
/// of them. It is cancelled when the last of them has left, and a later one begins anew.
final class SharedJobs<Key: Hashable & Sendable, Output: Sendable, Reports: Sendable>: Sendable {
    typealias Outcome = Result<Output, PipelineError>

    private let jobs = Mutex<[Key: SharedJob<Output, Reports>]>([:])
    private let keepsOutcome: Bool

    /// - Parameter keepsOutcome: whether one may also join after the work has succeeded, while somebody stays.
    init(keepsOutcome: Bool = false) { self.keepsOutcome = keepsOutcome }

    /// How many are under way.
    var count: Int { jobs.withLock { $0.count } }

    /// Of those under way.
    var reports: [Reports] { jobs.withLock { $0.values.map(\.reports) } }

    /// Joins the job for `key`, or begins it.
    ///
    /// - Parameters:
    ///   - reports: what a new job tells those who joined while it goes on.
    ///   - body: the work, on Swift's cooperative pool; its task is cancelled when nobody waits any more.
    func join(
        _ key: Key, urgency: Urgency, reports: @autoclosure () -> Reports,
        body: @escaping @Sendable (SharedJob<Output, Reports>) async throws(PipelineError) -> Output
    ) -> Membership<Output, Reports> {
        let (job, member, isNew) = jobs.withLock { jobs in
            if let job = jobs[key], let member = job.add(urgency) { return (job, member, false) }
            let job = SharedJob<Output, Reports>(reports: reports(), keepsOutcome: keepsOutcome) { [weak self] job in
                self?.remove(job, key)
            }
            // Nobody else knows the job yet, so it cannot have ended.
            let member = job.add(urgency) ?? 0
            jobs[key] = job
            return (job, member, true)
        }
        if isNew { job.begin(body) }
        return Membership(job, member)
    }

    private func remove(_ job: SharedJob<Output, Reports>, _ key: Key) {
        jobs.withLock { jobs in
            if jobs[key] === job { jobs[key] = nil }
        }
    }
}

/// One piece of shared work. Lives in its table until it has ended, or nobody waits for it.
final class SharedJob<Output: Sendable, Reports: Sendable>: Sendable {
    typealias Outcome = Result<Output, PipelineError>

    /// Of the most urgent member.
    var urgency: Urgency { sharedUrgency.combined }
    let reports: Reports
    /// Stops the work that asks it; cancelled with the job.
    let stop = StopToken()

    private struct State {
        /// The part in the shared urgency, by member.
        var members: [Int: Int] = [:]
        var lastMember = 0
        var waiters: [Int: [CheckedContinuation<Outcome, Never>]] = [:]
        var outcome: Outcome?
        /// Nobody may join any more.
        var isClosed = false
        /// Nobody is left who waits.
        var isAbandoned = false
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let sharedUrgency = SharedUrgency()
    private let keepsOutcome: Bool
    private let hasLeftTable: @Sendable (SharedJob) -> Void

    init(reports: Reports, keepsOutcome: Bool, hasLeftTable: @escaping @Sendable (SharedJob) -> Void) {
        self.reports = reports
        self.keepsOutcome = keepsOutcome
        self.hasLeftTable = hasLeftTable
    }

    /// A new member; `nil` when the job has ended or was abandoned.
    func add(_ urgency: Urgency) -> Int? {
        let part = sharedUrgency.add(urgency)
        let member = state.withLock { state -> Int? in
            if state.isClosed || state.isAbandoned { return nil }
            state.lastMember += 1
            state.members[state.lastMember] = part
            return state.lastMember
        }
        if member == nil { sharedUrgency.remove(part) }
        return member
    }

    func begin(_ body: @escaping @Sendable (SharedJob) async throws(PipelineError) -> Output) {
        let task = Task {
            do throws(PipelineError) {
                end(.success(try await body(self)))
            } catch {
                end(.failure(error))
            }
        }
        let isAbandoned = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    private func end(_ outcome: Outcome) {
        let isKept = if case .success = outcome { keepsOutcome } else { false }
        let waiters = state.withLock { state in
            state.outcome = outcome
            state.task = nil
            if !isKept { state.isClosed = true }
            defer { state.waiters = [:] }
            return state.waiters
        }
        if !isKept { hasLeftTable(self) }
        for waiter in waiters.values.joined() { waiter.resume(returning: outcome) }
    }

    /// Lets nobody join any more: who asks for the same begins another job.
    func close() {
        state.withLock { $0.isClosed = true }
        hasLeftTable(self)
    }

    /// Takes a member away. What it waits for ends as cancelled; the last one cancels the job.
    ///
    /// - Returns: whether it left before there was an outcome.
    @discardableResult
    func leave(_ member: Int) -> Bool {
        let (part, waiters, task, isLast, isEarly) = state.withLock { state in
            let part = state.members.removeValue(forKey: member)
            let isLast = part != nil && state.members.isEmpty
            if isLast { state.isAbandoned = true }
            let isEarly = part != nil && state.outcome == nil
            return (part, state.waiters.removeValue(forKey: member), state.task, isLast, isEarly)
        }
        if let part { sharedUrgency.remove(part) }
        for waiter in waiters ?? [] { waiter.resume(returning: .failure(.codec(.stopped(.cancelled)))) }
        guard isLast else { return isEarly }
        hasLeftTable(self)
        stop.cancel()
        task?.cancel()
        return isEarly
    }

    /// What became of the job, for one member; cancelled once that has left.
    func outcome(for member: Int) async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if let outcome = state.outcome { return outcome }
                guard state.members[member] != nil else { return .failure(.codec(.stopped(.cancelled))) }
                state.waiters[member, default: []].append(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// What became of the job, as far as that is known.
    var outcome: Outcome? { state.withLock { $0.outcome } }
}

/// Somebody's share in a job; leaves it when it is let go.
final class Membership<Output: Sendable, Reports: Sendable>: Sendable {
    let job: SharedJob<Output, Reports>
    private let member: Int
    private let hasLeftEarly = Atomic(false)

    fileprivate init(_ job: SharedJob<Output, Reports>, _ member: Int) {
        self.job = job
        self.member = member
    }

    deinit { job.leave(member) }

    /// The job goes on for the others.
    func leave() {
        if job.leave(member) { hasLeftEarly.store(true, ordering: .releasing) }
    }

    /// Waits for the outcome; it is there at once after ``leave()``.
    func outcome() async -> SharedJob<Output, Reports>.Outcome {
        // Whatever it came to for the others.
        if hasLeftEarly.load(ordering: .acquiring) { return .failure(.codec(.stopped(.cancelled))) }
        return await job.outcome(for: member)
    }

    /// Waits for the outcome. Cancelling the task that waits leaves the job.
    ///
    /// - Throws: what the job throws, `codec(.stopped(.cancelled))`.
    func output() async throws(PipelineError) -> Output {
        let outcome = await withTaskCancellationHandler {
            await self.outcome()
        } onCancel: {
            leave()
        }
        return try outcome.get()
    }
}
