import Dispatch
import Synchronization

/// A fixed number of workers for CPU work, with a budget of memory: work waits outside until both have room.
///
/// Each worker is a serial dispatch queue, which has a thread of its own whenever it works. A concurrent queue would
/// share its threads with Swift's cooperative pool on Linux, and keep unrelated tasks waiting.
public final class WorkerPool: Sendable {
    /// As many workers as the machine has cores, and a gigabyte for decoded pixels.
    public static let shared = WorkerPool(width: availableCores, byteBudget: defaultByteBudget)

    public static let defaultByteBudget = 1 << 30

    public static var availableCores: Int { max(1, activeProcessorCount()) }

    /// How much work runs at the same time.
    public let width: Int
    private let byteBudget: Int
    private let state: Mutex<State>

    private struct Job {
        var bytes: Int
        var work: @Sendable () -> Void
    }

    private struct State {
        /// In the order of their arrival; the first waits until it fits, so that large work is never starved.
        var waiting: [Job] = []
        var idleWorkers: [DispatchQueue]
        var bytesInUse = 0
    }

    /// - Parameters:
    ///   - width: how much work runs at the same time.
    ///   - byteBudget: how many bytes the running work may declare together; work above it runs alone.
    public init(width: Int, byteBudget: Int) {
        self.width = max(1, width)
        self.byteBudget = byteBudget
        let workers = (0..<self.width).map { DispatchQueue(label: "texel.worker.\($0)") }
        state = Mutex(State(idleWorkers: workers))
    }

    /// Runs `body` on a worker when there is room for `bytes`.
    ///
    /// Cancelling the task does not stop `body`: it asks a ``StopToken`` of its own.
    public func run<Value: Sendable, Failure: Error>(
        bytes: Int, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            enqueue(
                Job(bytes: bytes) {
                    do throws(Failure) {
                        continuation.resume(returning: .success(try body()))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                })
        }
        return try result.get()
    }

    /// How many threads a piece of running work may use by now: its own, and those of the workers that have nothing to
    /// do.
    var threadsForOne: Int { state.withLock { $0.waiting.isEmpty ? 1 + $0.idleWorkers.count : 1 } }

    /// How much work waits for its turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func enqueue(_ job: Job) {
        state.withLock { $0.waiting.append(job) }
        startWaiting()
    }

    private func startWaiting() {
        while let (job, worker) = state.withLock({ admit(&$0) }) {
            worker.async {
                job.work()
                self.state.withLock { state in
                    state.idleWorkers.append(worker)
                    state.bytesInUse -= job.bytes
                }
                self.startWaiting()
            }
        }
    }

    /// Takes the first waiting job if it fits beside the running ones.
    private func admit(_ state: inout State) -> (job: Job, worker: DispatchQueue)? {
        guard let first = state.waiting.first else { return nil }
        let runsAlone = state.idleWorkers.count == width
        guard runsAlone || state.bytesInUse + first.bytes <= byteBudget, let worker = state.idleWorkers.popLast() else {
            return nil
        }
        state.waiting.removeFirst()
        state.bytesInUse += first.bytes
        return (first, worker)
    }
}
