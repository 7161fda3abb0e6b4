package import TexelCodecs
import TexelPixels

/// Why a video cannot be read.
package enum VideoError: Error, Sendable, Hashable, Codable {
    /// A library is missing, or a limit is exceeded.
    case codec(CodecError)
    /// The video is damaged, or has no frames.
    case invalid(String)
    /// The input has no stream of images.
    case noVideo
    /// No demuxer recognises the input.
    case unknownFormat
    /// The input names other files or addresses, which are not opened; the name of its kind.
    case playlist(String)
    /// The video uses what Texel does not support.
    case unsupported(String)
    /// A frame by its number, from 0, does not exist.
    case missingFrame(Int)
    /// Reading failed with this number of an error.
    case cannotRead(CInt)
    /// No input arrived for this long.
    case stalled(Duration)
    /// The caller stopped the work.
    case stopped
}
