import DequeModule
import PlatformLibc
import TexelCore
import TexelPixels

/// Threads for the tasks of a batch. They may block, so they run work that a ``WorkerPool`` admits at once. For a JPEG
/// of 64 pixels, switching to other threads and back took a quarter of the processor time.
package final class BlockingThreads: TaskExecutor {
    private struct State {
        var jobs = Deque<UnownedJob>()
        var threadCount = 0
        /// How many threads run a job.
        var busyCount = 0
        var isEnding = false
    }

    private let state = Monitor(State())

    /// Starts the threads.
    ///
    /// - Returns: `nil` if the system cannot create one.
    package init?(count: Int) {
        var startedCount = 0
        for _ in 0..<count {
            guard let thread = WorkerThread({ self.serve() }) else { break }
            thread.detach()
            startedCount += 1
        }
        if startedCount == 0 { return nil }
        state.withLock { [startedCount] in $0.threadCount = startedCount }
    }

    /// Lets the threads end when nothing is left to run. Tasks that still wait for something continue on Swift's
    /// threads.
    package func end() { state.update { $0.isEnding = true } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = state.update { state in
            if !state.isEnding { state.jobs.append(job) }
            return !state.isEnding
        }
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
    }

    /// How many of the threads have nothing to do, counting those that the system has yet to start.
    var idleCount: Int { state.withLock { max(0, $0.threadCount - $0.busyCount - $0.jobs.count) } }

    private func serve() {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.busyCount -= 1 }
        }
        pthread_setspecific(Self.key, nil)
    }

    /// Waits for a job; `nil` at the end.
    private func next() -> UnownedJob? {
        state.wait { state -> UnownedJob?? in
            let job = state.jobs.popFirst()
            if job == nil, !state.isEnding { return nil }
            if job != nil { state.busyCount += 1 }
            return .some(job)
        }
    }

    // MARK: The calling thread

    /// Under which each thread keeps a reference to its object, which it retains while it runs.
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The threads to which the calling one belongs.
    static var current: BlockingThreads? {
        pthread_getspecific(key).map { Unmanaged<BlockingThreads>.fromOpaque($0).takeUnretainedValue() }
    }
}
