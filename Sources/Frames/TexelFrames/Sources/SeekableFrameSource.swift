import TexelCodecs
public import TexelCore

/// A source that can go on from another place without returning all frames before it.
public protocol SeekableFrameSource: FrameSource {
    /// Lets the next frame be the first one that is not shown before a time. Times of frames stay as they are.
    ///
    /// - Throws: `unsupported` if the place is before the last frame of an input that cannot be read again.
    func seek(to time: Duration, _ stop: StopToken) throws(TexelError)

    /// Lets the next frame be the one with a number, counted from 0.
    ///
    /// - Throws: `missingFrame`; the errors of ``seek(to:_:)``.
    func seek(toFrame number: Int, _ stop: StopToken) throws(TexelError)
}
