import Foundation
import Testing

/// Runs each test on its own thread, so that blocking tests leave the cooperative pool's threads to tasks.
struct ThreadTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor.shared) { try await function() }
    }

    private final class Executor: TaskExecutor {
        static let shared = Executor()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == ThreadTrait {
    static var onThreads: ThreadTrait { ThreadTrait() }
}
