import Dispatch
import Synchronization
import TexelCodecs

/// A fixed number of workers for CPU work, with a budget of memory: work waits outside until both have room.
///
/// Each worker is a serial dispatch queue, which has a thread of its own whenever it works. A concurrent queue would
/// share its threads with Swift's cooperative pool on Linux, and keep unrelated tasks waiting.
public final class WorkerPool: Sendable {
    /// As many workers as the machine has cores, and a gigabyte for decoded pixels.
    public static let shared = WorkerPool(width: availableCores, byteBudget: defaultByteBudget)

    /// For calls to the file system, which may block and take no processor time.
    package static let files = WorkerPool(width: 2, byteBudget: .max)

    public static let defaultByteBudget = 1 << 30

    public static var availableCores: Int { max(1, activeProcessorCount()) }

    /// How much work runs at the same time.
    public let width: Int
    /// How many bytes the running work may declare together; work above it runs alone.
    public let byteBudget: Int
    /// Whose children decode pictures in the workers' place; `nil` where the workers do it themselves.
    public let isolation: Isolation?
    /// Lets as many in as there are workers.
    let gate: AdmissionGate
    private let idleWorkers: Mutex<[DispatchQueue]>

    /// - Parameters:
    ///   - width: how much work runs at the same time.
    ///   - byteBudget: how many bytes the running work may declare together; work above it runs alone.
    ///   - isolation: whose children decode pictures in the workers' place.
    public init(width: Int, byteBudget: Int, isolation: Isolation? = nil) {
        self.width = max(1, width)
        self.byteBudget = byteBudget
        self.isolation = isolation
        gate = AdmissionGate(width: self.width, byteBudget: byteBudget)
        idleWorkers = Mutex((0..<self.width).map { DispatchQueue(label: "texel.worker.\($0)") })
    }

    /// Runs `body` on a worker when there is room for `bytes`.
    ///
    /// Cancelling the task does not stop `body`: it asks a ``StopToken`` of its own.
    public func run<Value: Sendable, Failure: Error>(
        bytes: Int, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            _ = submit(bytes: { bytes }, priority: .normal) { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Runs `body` on a worker when there is room for `bytes` and nothing more urgent waits.
    ///
    /// Cancelling the task cancels `stop`, and takes the work back where it has not begun.
    ///
    /// - Parameter bytes: asked for when its turn has come.
    /// - Throws: what `body` throws, `codec(.stopped)`.
    package func run<Value: Sendable>(
        bytes: @escaping @Sendable () -> Int, urgency: Urgency, stop: StopToken,
        _ body: @escaping @Sendable () throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        try await gate.waiting(urgency, onCancel: stop.cancel) { continuation in
            submit(bytes: bytes, priority: urgency.priority) {
                continuation.resume(
                    returning: Result { () throws(PipelineError) in
                        if let reason = stop.reason { throw .codec(.stopped(reason)) }
                        return try body()
                    })
            } abandon: {
                continuation.resume(returning: .failure(.codec(.stopped(stop.reason ?? .cancelled))))
            }
        }
    }

    /// Runs `body` on a worker if there is room for it now.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: what `body` throws, `codec(.stopped)`.
    func runIfFree<Value: Sendable>(
        bytes: @escaping @Sendable () -> Int, urgency: Urgency, stop: StopToken,
        _ body: @escaping @Sendable () throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value? {
        try await gate.waiting(urgency, onCancel: stop.cancel) { continuation in
            let ticket = submit(bytes: bytes, priority: urgency.priority) {
                continuation.resume(
                    returning: Result { () throws(PipelineError) in
                        if let reason = stop.reason { throw .codec(.stopped(reason)) }
                        return try body()
                    })
            } abandon: {
                continuation.resume(returning: .success(nil))
            }
            // What has not begun by now would have to wait.
            gate.withdraw(ticket)
            return ticket
        }
    }

    /// How many threads a piece of running work may use by now: its own, and those of the workers that have nothing to
    /// do.
    var threadsForOne: Int { gate.waitingCount == 0 ? 1 + idleWorkers.withLock { $0.count } : 1 }

    /// How much work waits for its turn.
    var waitingCount: Int { gate.waitingCount }

    /// Lets `work` run on a worker; or `abandon`, at once, where it is withdrawn from the gate before.
    private func submit(
        bytes: @escaping @Sendable () -> Int, priority: Priority, _ work: @escaping @Sendable () -> Void,
        abandon: @escaping @Sendable () -> Void = {}
    ) -> AdmissionGate.Ticket {
        gate.enter(bytes: bytes, priority: priority, begin: { self.begin(work, bytes: $0) }, abandon: abandon)
    }

    private func begin(_ work: @escaping @Sendable () -> Void, bytes: Int) {
        // Who leaves the gate has put the worker back before.
        guard let worker = idleWorkers.withLock({ $0.popLast() }) else {
            preconditionFailure("the gate let in more than there are workers")
        }
        worker.async {
            work()
            self.idleWorkers.withLock { $0.append(worker) }
            self.gate.leave(bytes: bytes)
        }
    }
}
