import Synchronization
import TexelCore
import TexelPipeline

/// Decides between writing and stopping: a result that is stopped before the write begins leaves no file; if it is
/// stopped later, it is written and reported as done.
final class OutputCommit: Sendable {
    /// Whether the write has begun, or was given up.
    private let isDecided = Atomic(false)
    private let outcome = Waiter<EncodedImage>()

    /// Writes the result, unless it was given up. Must be called at most once.
    ///
    /// - Parameter body: writes the image, and returns it with warnings about the writing.
    /// - Throws: the error of `body`; `cancelled` if the result was given up.
    @discardableResult
    func write(_ body: () throws(TexelError) -> EncodedImage) throws(TexelError) -> EncodedImage {
        if isDecided.exchange(true, ordering: .acquiringAndReleasing) { throw .stopped(.cancelled) }
        let result = Result(catching: body)
        outcome.resume(result)
        return try result.get()
    }

    /// Prevents a write that has not begun. Must be called at most once.
    ///
    /// - Returns: the outcome of the write, if it had begun; otherwise `nil`.
    func giveUp() async -> Result<EncodedImage, TexelError>? {
        isDecided.exchange(true, ordering: .acquiringAndReleasing) ? await outcome.result() : nil
    }
}
