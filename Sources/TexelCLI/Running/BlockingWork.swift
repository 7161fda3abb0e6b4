import Texel
import TexelFrames

/// Work that waits, on a thread of its own: waiting in asynchronous code would keep one of its few threads from the
/// tasks that look after other programs.
enum BlockingWork {
    static func run(_ body: @escaping @Sendable () throws(FrameError) -> Void) async throws(FrameError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, FrameError>, Never>) in
            let thread = WorkerThread {
                do throws(FrameError) {
                    try body()
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if let thread {
                thread.detach()
            } else {
                continuation.resume(returning: .failure(.cannotRead(.resourceTemporarilyUnavailable)))
            }
        }
        try result.get()
    }
}
