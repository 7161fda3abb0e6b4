import PlatformLibc
import Texel
import TexelCore
import TexelFrames
import TexelPixels

/// Runs blocking work on a thread of its own. Blocking in a task would take one of the few threads from the tasks
/// that communicate with other programs.
enum BlockingWork {
    static func run(_ body: @escaping @Sendable () throws(TexelError) -> Void) async throws(TexelError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, TexelError>, Never>) in
            let thread = WorkerThread {
                do throws(TexelError) {
                    try body()
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if let thread {
                thread.detach()
            } else {
                continuation.resume(returning: .failure(.streamFailed(EAGAIN)))
            }
        }
        try result.get()
    }
}
