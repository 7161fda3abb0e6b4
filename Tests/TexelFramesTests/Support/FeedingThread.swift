import TexelPipeline

/// A thread of a test, which joins it.
struct FeedingThread {
    private let thread: WorkerThread?

    init(_ body: @escaping @Sendable () -> Void) { thread = WorkerThread(body) }

    func join() { thread?.join() }
}
