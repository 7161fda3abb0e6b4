import ArgumentParser
import Texel
import TexelFrames

/// Where frames are read from.
struct FrameInputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file, - for standard input, a camera, a directory, or a pattern.",
            discussion: """
                Y4M, MJPEG, NUT, PNG and JPEG are read as they are, other videos and /dev/video0 through ffmpeg; \
                frames/%05d.png and 'frames/*.jpg' are sequences, a directory one that may still grow, \
                pattern:1280x720 is drawn.
                """), completion: .file())
    var source: String

    @Option(help: "WIDTHxHEIGHT of raw frames.")
    var size: SizeArgument?

    @Option(help: "How raw frames lie in memory: bgra, rgba, i420 or nv12.")
    var pixelFormat: RawFrameFormat?

    @Option(help: "Frames a second where the source does not say: 30, 29.97 or 30000/1001 (default: 25).")
    var rate: RateArgument?

    @Option(help: "What YUV samples are taken for and written as (default: what they say, else bt601 below 720 rows).")
    var matrix: YUVMatrix?

    @Option(help: "What YUV samples are taken for and written as (default: what they say, else limited).")
    var range: YUVRange?

    @Flag(help: "Begin again at the end.")
    var loop = false

    @Option(help: "How long a pipe, a camera or ffmpeg may give nothing: 10, 10s or 500ms.")
    var stallTimeout: DurationArgument?

    /// Whether the stream ends only when it is interrupted.
    var isEndless: Bool { loop || source.hasPrefix(FrameSourceOpening.patternPrefix) }

    static func check(_ source: String) throws {
        if source.hasPrefix(FrameSourceOpening.patternPrefix), FrameSourceOpening.patternSize(source) == nil {
            throw ValidationError("\(source) needs a size, as in pattern:640x360.")
        }
    }

    func check() throws {
        if source.isEmpty { throw ValidationError("The source is empty; name a file, or - for standard input.") }
        try Self.check(source)
        if pixelFormat == nil, size != nil {
            throw ValidationError("--size is that of raw frames: give --pixel-format too, or change sizes by --width.")
        }
        if pixelFormat != nil, size == nil {
            throw ValidationError("Raw frames say nothing of themselves: give --size WIDTHxHEIGHT too.")
        }
        if loop, source == "-" { throw ValidationError("Standard input cannot begin again: leave --loop away.") }
    }
}
