public import SystemPackage
public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Reasons why a stream of frames failed.
extension TexelError {
    /// A numbered sequence of images has no file of this name, but goes on with another one.
    public static func missingImage(_ path: FilePath, next: FilePath) -> TexelError {
        TexelError(
            .missingImage, "\(path) is missing, although the sequence goes on with \(next)",
            at: Place(input: path.string))
    }

    /// The stream ends inside a frame.
    public static func truncated(frame: Int, bytesRead: Int, bytes: Int) -> TexelError {
        TexelError(
            .truncated, "the stream ends inside frame \(frame), after \(bytesRead) of its \(bytes) bytes")
    }

    /// A frame has another size than the first, where all must have one size.
    public static func sizeChanged(frame: Int, from: PixelSize, to: PixelSize) -> TexelError {
        TexelError(
            .sizeChanged,
            "frame \(frame) is \(to), but the first frame is \(from); all frames must have the same size")
    }

    /// One frame could not be decoded for this reason.
    public static func damagedFrame(index: Int, _ reason: TexelError) -> TexelError {
        var place = reason.place
        place.frame = index
        return TexelError(
            reason.kind, "frame \(index): \(reason)", at: place, systemError: reason.systemError,
            underlying: reason.underlying)
    }

    /// The stream is damaged, more than the strictness allows.
    public static func damagedStream(_ faults: StreamFaults) -> TexelError { TexelError(.damaged, "\(faults)") }

    /// Writing the output failed.
    public static func cannotWrite(_ reason: Errno) -> TexelError {
        TexelError(.cannotWrite, "the output cannot be written: \(reason)", systemError: reason.rawValue)
    }

    /// The reader of the output closed it.
    public static func outputClosed(framesWritten count: Int) -> TexelError {
        TexelError(
            .outputClosed, "the reader closed the output after \(count) \(count == 1 ? "frame" : "frames")")
    }
}
