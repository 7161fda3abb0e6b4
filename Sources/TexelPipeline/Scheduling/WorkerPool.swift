import Dispatch
import Synchronization

/// A fixed number of workers for CPU work, with a budget of memory: work waits outside until both have room.
///
/// Runs on a concurrent dispatch queue of its own, never on Swift's cooperative pool; nothing ever blocks in it, so
/// the queue has no reason to grow threads.
public final class WorkerPool: Sendable {
    /// As many workers as the machine has cores, and a gigabyte for decoded pixels.
    public static let shared = WorkerPool(width: availableCores, byteBudget: defaultByteBudget)

    public static let defaultByteBudget = 1 << 30

    public static var availableCores: Int { max(1, activeProcessorCount()) }

    /// How much work runs at the same time.
    public let width: Int
    private let byteBudget: Int
    private let queue = DispatchQueue(label: "texel.workers", attributes: .concurrent)
    private let state = Mutex(State())

    private struct Job {
        var bytes: Int
        var work: @Sendable () -> Void
    }

    private struct State {
        /// In the order of their arrival; the first waits until it fits, so that large work is never starved.
        var waiting: [Job] = []
        var running = 0
        var bytesInUse = 0
    }

    /// - Parameters:
    ///   - width: how much work runs at the same time.
    ///   - byteBudget: how many bytes the running work may declare together; work above it runs alone.
    public init(width: Int, byteBudget: Int) {
        self.width = max(1, width)
        self.byteBudget = byteBudget
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

    private func enqueue(_ job: Job) {
        state.withLock { $0.waiting.append(job) }
        startWaiting()
    }

    private func startWaiting() {
        while let job = state.withLock({ admit(&$0) }) {
            queue.async {
                job.work()
                self.state.withLock { state in
                    state.running -= 1
                    state.bytesInUse -= job.bytes
                }
                self.startWaiting()
            }
        }
    }

    /// Takes the first waiting job if it fits beside the running ones.
    private func admit(_ state: inout State) -> Job? {
        guard let first = state.waiting.first, state.running < width else { return nil }
        let fits = state.running == 0 || state.bytesInUse + first.bytes <= byteBudget
        guard fits else { return nil }
        state.waiting.removeFirst()
        state.running += 1
        state.bytesInUse += first.bytes
        return first
    }
}
