import TexelCore
import TexelPipeline
import TexelPixels

/// A thread that the test joins.
struct FeedingThread {
    private let thread: WorkerThread?

    init(_ body: @escaping @Sendable () -> Void) { thread = WorkerThread(body) }

    func join() { thread?.join() }
}
