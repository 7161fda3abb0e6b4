import TexelCodecs

/// Where a route's result is written. Its file is begun as soon as the result becomes large.
package struct ResultOutput: Sendable {
    private let failure: OutputFailure
    /// `nil` if the bytes must stay in memory until the result is complete.
    let overflow: OutputOverflow?

    /// The number of bytes of a result that stay in memory.
    package static let byteLimitInMemory = 16 << 20

    /// - Parameter byteLimit: the number of bytes that stay in memory.
    package init(_ place: OutputPlace, byteLimit: Int = byteLimitInMemory) {
        let failure = OutputFailure(place.path)
        self.failure = failure
        guard !place.isDirect else {
            overflow = nil
            return
        }
        overflow = OutputOverflow(byteLimit: byteLimit) { () throws(CodecError) in
            do throws(FileError) {
                return EncodedFile(try place.begun(), failure)
            } catch {
                throw failure.record(error)
            }
        }
    }

    /// Returns why the file could not be written instead of an encoder's error.
    func cause(of error: PipelineError) -> PipelineError {
        guard case .codec(.stopped(.outputFailed)) = error, let reason = failure.error else { return error }
        return .file(reason)
    }
}
