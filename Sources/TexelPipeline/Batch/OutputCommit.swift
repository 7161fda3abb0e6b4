import Synchronization

/// The point from which an output is there: what is stopped before it leaves no trace, what is stopped later is done all
/// the same, and says so.
final class OutputCommit: Sendable {
    private enum State {
        case open, begun, givenUp
    }

    private let state = Mutex(State.open)
    private let outcome = Waiter<EncodedImage>()

    /// Writes, unless it was given up. Called once.
    ///
    /// - Parameter body: returns the image with what is to be said of the writing.
    /// - Throws: what `body` throws, or that it was stopped.
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

    /// What became of it, after ``write(_:_:)`` has begun.
    func result() async -> Result<EncodedImage, PipelineError> { await outcome.result() }

    /// Gives up what has not begun.
    ///
    /// - Returns: what became of it if it has; `nil` if not. Called once.
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
