import Synchronization

/// Carries out requests at the lowest priority before their results are needed. The results are then in the
/// pipeline's caches; a request made meanwhile joins the running work.
///
/// If the pipeline has no cache, only requests made meanwhile benefit.
public final class Prefetching: Sendable {
    private struct State {
        var tasks: [ImageRequest.Key: (number: Int, task: Task<Void, Never>)] = [:]
        /// The number of the last task; distinguishes tasks for equal requests.
        var lastNumber = 0
    }

    private let pipeline: ImagePipeline
    private let state = Mutex(State())

    /// Makes a prefetcher for `pipeline`.
    public init(_ pipeline: ImagePipeline = .shared) { self.pipeline = pipeline }

    deinit { for task in state.withLock({ $0.tasks.values.map(\.task) }) { task.cancel() } }

    /// Starts requests; those that are already running are not started again.
    public func start(_ requests: some Sequence<ImageRequest>) {
        for request in requests {
            var request = request
            request.priority = .veryLow
            let task = pipeline.imageTask(for: request)
            let key = request.key
            state.withLock { state in
                guard state.tasks[key] == nil else { return }
                state.lastNumber += 1
                let number = state.lastNumber
                let waiter = Task { [weak self] in
                    _ = try? await task.value
                    self?.forget(key, number)
                }
                state.tasks[key] = (number, waiter)
            }
        }
    }

    /// Cancels requests; work that other tasks share goes on.
    public func stop(_ requests: some Sequence<ImageRequest>) {
        for request in requests { state.withLock { $0.tasks.removeValue(forKey: request.key) }?.task.cancel() }
    }

    /// Cancels all requests.
    public func stopAll() {
        let entries = state.withLock { state in
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        for entry in entries { entry.task.cancel() }
    }

    /// How many requests are running.
    public var count: Int { state.withLock { $0.tasks.count } }

    /// Removes the entry, unless an equal request was started since.
    private func forget(_ key: ImageRequest.Key, _ number: Int) {
        state.withLock { state in
            if state.tasks[key]?.number == number { state.tasks[key] = nil }
        }
    }
}
