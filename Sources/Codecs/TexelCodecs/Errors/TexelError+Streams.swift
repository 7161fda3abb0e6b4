import PlatformLibc
public import TexelCore

/// Reasons why a video or a stream of frames cannot be read.
extension TexelError {
    /// The stream's headers contradict themselves or the format.
    public static func invalidStream(_ reason: String) -> TexelError { TexelError(.damaged, reason) }

    /// A frame by its number, from 0, does not exist.
    public static func missingFrame(_ number: Int) -> TexelError {
        TexelError(
            .missingFrame, "frame \(number) does not exist; the stream has fewer frames", at: Place(frame: number))
    }

    /// No input arrived for this long.
    public static func stalled(_ duration: Duration) -> TexelError {
        TexelError(.stalled, "no input arrived for \(duration.components.seconds) seconds")
    }

    /// Reading the stream failed with this error number of the system.
    public static func streamFailed(_ systemError: CInt) -> TexelError {
        let reason = String(cString: strerror(systemError))
        return TexelError(.streamFailed, "the stream cannot be read: \(reason)", systemError: systemError)
    }
}
