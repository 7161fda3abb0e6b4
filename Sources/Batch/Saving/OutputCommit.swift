import Synchronization
import TexelPipeline

/// Decides between writing and stopping: a result that is stopped before the write begins leaves no file; if it is
/// stopped later, it is written and reported as done.
final class OutputCommit: Sendable {
    private enum State {
        case open, begun, givenUp
    }

    private let state = Mutex(State.open)
    private let outcome = Waiter<EncodedImage>()

    /// Writes the result, unless it was given up. Must be called at most once.
    ///
    /// - Parameter body: writes the image, and returns it with warnings about the writing.
    /// - Throws: the error of `body`; `codec(.stopped(.cancelled))` if the result was given up.
    @discardableResult
    func write(
        _ image: EncodedImage, _ body: (EncodedImage) throws(PipelineError) -> EncodedImage
    ) throws(PipelineError) -> EncodedImage {
        let mayBegin = state.withLock { state in
            guard case .open = state else { return false }
            state = .begun
            return true
        }
        guard mayBegin else { throw .codec(.stopped(.cancelled)) }
        do throws(PipelineError) {
            let written = try body(image)
            outcome.resume(.success(written))
            return written
        } catch {
            outcome.resume(.failure(error))
            throw error
        }
    }

    /// Prevents a write that has not begun. Must be called at most once.
    ///
    /// - Returns: the outcome of the write, if it had begun; otherwise `nil`.
    func giveUp() async -> Result<EncodedImage, PipelineError>? {
        let hasBegun = state.withLock { state in
            guard case .begun = state else {
                state = .givenUp
                return false
            }
            return true
        }
        return hasBegun ? await outcome.result() : nil
    }
}
