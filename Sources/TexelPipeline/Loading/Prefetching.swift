import Synchronization

/// Requests that nobody waits for yet, at the lowest priority: their results are in the pipeline's caches when they are
/// asked for, and a request that comes meanwhile takes over the work that is under way.
///
/// Without a cache in the pipeline only requests that come while it goes on profit from it.
public final class Prefetching: Sendable {
    private struct State {
        var tasks: [ImageRequest.Key: (number: Int, task: Task<Void, Never>)] = [:]
        /// Of the last task; tells it from others for an equal request.
        var lastNumber = 0
    }

    private let pipeline: ImagePipeline
    private let state = Mutex(State())

    public init(_ pipeline: ImagePipeline = .shared) { self.pipeline = pipeline }

    deinit { for task in state.withLock({ $0.tasks.values.map(\.task) }) { task.cancel() } }

    /// Begins with these as well; equal ones are begun once.
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

    /// Does without these, unless others want them.
    public func stop(_ requests: some Sequence<ImageRequest>) {
        for request in requests { state.withLock { $0.tasks.removeValue(forKey: request.key) }?.task.cancel() }
    }

    /// Does without all.
    public func stopAll() {
        let entries = state.withLock { state in
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        for entry in entries { entry.task.cancel() }
    }

    /// How many are under way.
    public var count: Int { state.withLock { $0.tasks.count } }

    /// Unless an equal request was begun since.
    private func forget(_ key: ImageRequest.Key, _ number: Int) {
        state.withLock { state in
            if state.tasks[key]?.number == number { state.tasks[key] = nil }
        }
    }
}
