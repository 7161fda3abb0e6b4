import Dispatch
import PlatformLibc
import Synchronization
import TexelCodecs
package import TexelCore

/// A fixed number of workers for CPU work, with a memory budget: work waits in a queue until there is room in both.
///
/// Each worker is a serial dispatch queue, which has a thread of its own while it works. A concurrent queue would
/// share its threads with Swift's cooperative pool on Linux and delay unrelated tasks.
public final class WorkerPool: Sendable {
    /// The pool of the whole process: one worker per core and a budget of 1 GiB of decoded pixels.
    public static let shared = WorkerPool(width: availableCores, byteBudget: defaultByteBudget)

    /// For file system calls, which may block and need little processor time.
    package static let files = WorkerPool(width: 2, byteBudget: .max)

    /// 1 GiB.
    public static let defaultByteBudget = 1 << 30

    /// The number of processors that are online, at least 1.
    public static var availableCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// How many pieces of work run at the same time.
    public let width: Int
    /// The bytes that running work may declare together; work above the budget runs alone.
    public let byteBudget: Int
    /// If set, images are decoded in these processes instead of on the workers.
    let processes: (any DecodingProcesses)?
    /// Admits as many pieces of work as there are workers.
    let gate: AdmissionGate
    private let idleWorkers: Mutex<[DispatchQueue]>

    /// - Parameters:
    ///   - width: how many pieces of work run at the same time; at least 1.
    ///   - byteBudget: the bytes that running work may declare together; work above the budget runs alone.
    public convenience init(width: Int, byteBudget: Int) {
        self.init(width: width, byteBudget: byteBudget, processes: nil)
    }

    init(width: Int, byteBudget: Int, processes: (any DecodingProcesses)?) {
        self.width = max(1, width)
        self.byteBudget = byteBudget
        self.processes = processes
        gate = AdmissionGate(width: self.width, byteBudget: byteBudget)
        idleWorkers = Mutex((0..<self.width).map { DispatchQueue(label: "texel.worker.\($0)") })
    }

    /// Runs `body` on a worker when there is room for it.
    ///
    /// Cancelling the task does not stop `body`; give it a `StopToken` for that.
    ///
    /// - Parameters:
    ///   - bytes: the memory that `body` will take.
    ///   - body: the work.
    /// - Throws: what `body` throws.
    public func run<Value: Sendable, Failure: Error>(
        bytes: Int, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if let result = resultHere(bytes: bytes, body) { return try result.get() }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            _ = submit(bytes: { bytes }, priority: .normal) { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Runs `body` on a worker when there is room for it and nothing more urgent waits.
    ///
    /// Cancelling the task cancels `stop`, and withdraws the work if it has not begun.
    ///
    /// - Parameter bytes: the memory that `body` will take; called when its turn has come.
    /// - Throws: what `body` throws; `stopped` if the work is cancelled before it begins.
    package func run<Value: Sendable>(
        bytes: @escaping @Sendable () -> Int, urgency: Urgency, stop: StopToken,
        _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) async throws(TexelError) -> Value {
        let body = { @Sendable () throws(TexelError) in
            if let reason = stop.reason { throw .stopped(reason) }
            return try body()
        }
        if BlockingThreads.current != nil {
            let result = await withTaskCancellationHandler {
                resultHere(bytes: bytes(), body)
            } onCancel: {
                stop.cancel()
            }
            if let result { return try result.get() }
        }
        return try await gate.waiting(urgency, onCancel: stop.cancel) { continuation in
            submit(bytes: bytes, priority: urgency.priority) {
                continuation.resume(returning: Result(catching: body))
            } abandon: {
                continuation.resume(returning: .failure(.stopped(stop.reason ?? .cancelled)))
            }
        }
    }

    /// Runs `body` on a worker if there is room for it now.
    ///
    /// - Returns: `nil` if there is no room.
    /// - Throws: what `body` throws; `stopped` if `stop` was set before `body` began.
    func runIfFree<Value: Sendable>(
        bytes: @escaping @Sendable () -> Int, urgency: Urgency, stop: StopToken,
        _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) async throws(TexelError) -> Value? {
        try await gate.waiting(urgency, onCancel: stop.cancel) { continuation in
            let ticket = submit(bytes: bytes, priority: urgency.priority) {
                continuation.resume(
                    returning: Result { () throws(TexelError) in
                        if let reason = stop.reason { throw .stopped(reason) }
                        return try body()
                    })
            } abandon: {
                continuation.resume(returning: .success(nil))
            }
            // If the work has not begun by now, it would have to wait.
            gate.withdraw(ticket)
            return ticket
        }
    }

    /// How many threads a running piece of work may use now: its own and, if no work is waiting, those of the idle
    /// workers; on one of ``BlockingThreads``, no more than are idle of these.
    var threadsPerTask: Int {
        guard gate.waitingCount == 0 else { return 1 }
        let idleCount = idleWorkers.withLock { $0.count }
        return 1 + min(idleCount, BlockingThreads.current?.idleCount ?? idleCount)
    }

    /// How many pieces of work wait for a worker.
    var waitingCount: Int { gate.waitingCount }

    /// Runs `work` on a worker, or calls `abandon` if the ticket is withdrawn before.
    private func submit(
        bytes: @escaping @Sendable () -> Int, priority: Priority, _ work: @escaping @Sendable () -> Void,
        abandon: @escaping @Sendable () -> Void = {}
    ) -> AdmissionGate.Ticket {
        gate.enter(bytes: bytes, priority: priority, begin: { self.begin(work, bytes: $0) }, abandon: abandon)
    }

    private func begin(_ work: @escaping @Sendable () -> Void, bytes: Int) {
        let worker = takeWorker()
        worker.async {
            work()
            self.putBack(worker, bytes: bytes)
        }
    }

    /// Runs `body` on the calling thread.
    ///
    /// - Returns: `nil` if the thread must not block, or if there is no room now.
    private func resultHere<Value, Failure: Error>(
        bytes: @autoclosure () -> Int, _ body: () throws(Failure) -> Value
    ) -> Result<Value, Failure>? {
        guard BlockingThreads.current != nil, let bytes = gate.enterAtOnce(bytes: bytes()) else { return nil }
        let worker = takeWorker()
        defer { putBack(worker, bytes: bytes) }
        return Result(catching: body)
    }

    /// Takes the worker of work that was admitted.
    private func takeWorker() -> DispatchQueue {
        // A worker is put back before its work leaves the gate, so there is one for each admission.
        guard let worker = idleWorkers.withLock({ $0.popLast() }) else {
            preconditionFailure("more jobs were admitted than there are workers")
        }
        return worker
    }

    private func putBack(_ worker: DispatchQueue, bytes: Int) {
        idleWorkers.withLock { $0.append(worker) }
        gate.leave(bytes: bytes)
    }
}

/// Processes in which the images of a ``WorkerPool`` are decoded. A pool only keeps them for those who use it.
protocol DecodingProcesses: AnyObject, Sendable {}
