package import TexelCodecs
package import TexelCore

/// The frames of a video, read in this process or in a child. Used by one thread at a time.
package protocol VideoFrames: AnyObject, Sendable {
    /// The properties in the headers.
    var info: VideoInfo { get }
    /// Seconds per tick.
    var timeBase: TimeBase { get }

    /// Decodes the next frame; `nil` at the end of the stream.
    func next(_ stop: StopToken?) throws(TexelError) -> VideoFrame?

    /// Lets the next frame be the first one that is not shown before a time, counted from the start of the input.
    func seek(to time: Duration, _ stop: StopToken?) throws(TexelError)

    /// Lets the next frame be the one with a number, from 0. Without times in the packets, decodes all frames before.
    ///
    /// - Throws: `missingFrame` if the video has fewer frames.
    func seek(toFrame number: Int, _ stop: StopToken?) throws(TexelError)

    /// Returns the damage that was noticed since the last call.
    func takeFaults() -> StreamFaults
}
