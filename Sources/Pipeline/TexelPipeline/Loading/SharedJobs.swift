import Synchronization
import TexelCodecs
import TexelCore

/// Carries out work once for all callers that request the same at the same time.
///
/// Callers with the same key share one job. It has the priority of its most urgent member, and is cancelled when the
/// last member leaves; a later request starts a new job.
final class SharedJobs<Key: Hashable & Sendable, Output: Sendable, Reports: Sendable>: Sendable {
    typealias Outcome = Result<Output, TexelError>

    private let jobs = Mutex<[Key: SharedJob<Output, Reports>]>([:])
    private let keepsOutcome: Bool

    /// - Parameter keepsOutcome: whether callers may also join after the work has succeeded, while a member remains.
    init(keepsOutcome: Bool = false) { self.keepsOutcome = keepsOutcome }

    /// How many jobs there are.
    var count: Int { jobs.withLock { $0.count } }

    /// The reports of all jobs.
    var reports: [Reports] { jobs.withLock { $0.values.map(\.reports) } }

    /// Joins the job for `key`, or starts it.
    ///
    /// - Parameters:
    ///   - reports: shared state through which a new job reports to its members.
    ///   - body: the work, on Swift's cooperative pool, or begun at once on one of ``BlockingThreads``; its task is
    ///     cancelled when the last member leaves.
    func join(
        _ key: Key, urgency: Urgency, reports: @autoclosure () -> Reports,
        body: @escaping @Sendable (SharedJob<Output, Reports>) async throws(TexelError) -> Output
    ) -> Membership<Output, Reports> {
        let (job, member, isNew) = jobs.withLock { jobs in
            if let job = jobs[key], let member = job.add(urgency) { return (job, member, false) }
            let job = SharedJob<Output, Reports>(reports: reports(), keepsOutcome: keepsOutcome) { [weak self] job in
                self?.remove(job, key)
            }
            // No other thread knows the job yet, so it cannot have ended and `add` cannot fail.
            let member = job.add(urgency) ?? 0
            jobs[key] = job
            return (job, member, true)
        }
        if isNew { job.begin(body) }
        return Membership(job, member, hasBegunJob: isNew)
    }

    private func remove(_ job: SharedJob<Output, Reports>, _ key: Key) {
        jobs.withLock { jobs in
            if jobs[key] === job { jobs[key] = nil }
        }
    }
}

/// One shared job. It is in its table until it has ended or its last member has left.
final class SharedJob<Output: Sendable, Reports: Sendable>: Sendable {
    typealias Outcome = Result<Output, TexelError>

    /// The urgency of the most urgent member.
    var urgency: Urgency { sharedUrgency.combined }
    let reports: Reports
    /// Stops work that checks it; cancelled with the job.
    let stop = StopToken()

    private struct State {
        /// The members, with their parts of the shared urgency.
        var members: [Int: Int] = [:]
        var lastMember = 0
        var waiters: [Int: [CheckedContinuation<Outcome, Never>]] = [:]
        var outcome: Outcome?
        /// No further member may join.
        var isClosed = false
        /// The last member has left.
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

    /// Adds a member. Returns `nil` if the job was closed or abandoned.
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

    func begin(_ body: @escaping @Sendable (SharedJob) async throws(TexelError) -> Output) {
        let work = { @Sendable in
            do throws(TexelError) {
                self.end(.success(try await body(self)))
            } catch {
                self.end(.failure(error))
            }
        }
        // Where the thread may block, the work may end before another one would have begun it.
        let threads = BlockingThreads.current
        let task = threads == nil ? Task(operation: work) : .immediate(executorPreference: threads, operation: work)
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

    /// Closes the job to new members; a later request for the same key starts another job.
    func close() {
        state.withLock { $0.isClosed = true }
        hasLeftTable(self)
    }

    /// Removes a member. Its pending waits end as cancelled; the last member to leave cancels the job.
    ///
    /// - Returns: whether it left before the job had an outcome.
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
        for waiter in waiters ?? [] { waiter.resume(returning: .failure(.stopped(.cancelled))) }
        guard isLast else { return isEarly }
        hasLeftTable(self)
        stop.cancel()
        task?.cancel()
        return isEarly
    }

    /// Waits for the job's outcome on behalf of a member; cancelled if the member has left.
    func outcome(for member: Int) async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if let outcome = state.outcome { return outcome }
                guard state.members[member] != nil else { return .failure(.stopped(.cancelled)) }
                state.waiters[member, default: []].append(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// The job's outcome, if it has ended.
    var outcome: Outcome? { state.withLock { $0.outcome } }
}

/// A caller's membership in a job; left on deinitialisation.
final class Membership<Output: Sendable, Reports: Sendable>: Sendable {
    let job: SharedJob<Output, Reports>
    /// Whether the job was begun for this member.
    let hasBegunJob: Bool
    private let member: Int
    private let hasLeftEarly = Atomic(false)

    fileprivate init(_ job: SharedJob<Output, Reports>, _ member: Int, hasBegunJob: Bool) {
        self.job = job
        self.member = member
        self.hasBegunJob = hasBegunJob
    }

    deinit { job.leave(member) }

    /// Leaves the job, which continues for other members.
    func leave() {
        if job.leave(member) { hasLeftEarly.store(true, ordering: .releasing) }
    }

    /// Waits for the outcome; returns at once after ``leave()``.
    func outcome() async -> SharedJob<Output, Reports>.Outcome {
        // A member that left early gets this result even if the job succeeded for others.
        if hasLeftEarly.load(ordering: .acquiring) { return .failure(.stopped(.cancelled)) }
        return await job.outcome(for: member)
    }

    /// Waits for the result. Cancelling the waiting task leaves the job.
    ///
    /// - Throws: the error of the job; `cancelled`.
    func output() async throws(TexelError) -> Output {
        let outcome = await withTaskCancellationHandler {
            await self.outcome()
        } onCancel: {
            leave()
        }
        return try outcome.get()
    }
}
