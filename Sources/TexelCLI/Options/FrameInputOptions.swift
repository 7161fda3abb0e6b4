import ArgumentParser
import Texel
import TexelFrames

/// Where frames are read from.
struct FrameInputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file, - for standard input, a camera, a directory, or a pattern.",
            discussion: """
                Y4M, MJPEG, animations, JPEG and the pages of a TIFF are read directly, other videos and \
                /dev/video0 through FFmpeg's libraries; \
                frames/%05d.png and 'frames/*.jpg' are sequences, a directory is a sequence that may still grow, \
                pattern:1280x720 is a test pattern.
                """), completion: .file())
    var source: String

    @Option(help: "WIDTHxHEIGHT of raw frames.")
    var size: SizeArgument?

    @Option(help: "Memory layout of raw frames: bgra, rgba, i420 or nv12.")
    var pixelFormat: RawFrameFormat?

    @Option(help: "Frames per second if the source has no rate: 30, 29.97 or 30000/1001 (default: 25).")
    var rate: RateArgument?

    @Option(help: "First number of a sequence such as frames/%05d.png (default: the lowest).")
    var firstNumber: Int?

    @Option(help: "YUV matrix of input and output (default: as tagged; untagged and in outputs, by the size).")
    var matrix: YUVMatrix?

    @Option(help: "YUV range of input and output (default: as tagged, else limited).")
    var range: YUVRange?

    @Flag(help: "Repeat the source.")
    var loop = false

    @Option(help: "How long to wait for data from a pipe, a camera or a URL: 10, 10s or 500ms.")
    var stallTimeout: DurationArgument?

    /// Whether the stream ends only when it is interrupted.
    var isEndless: Bool { loop || source.hasPrefix(FrameSourceFactory.patternPrefix) }

    static func check(_ source: String) throws {
        if source.hasPrefix(FrameSourceFactory.patternPrefix), FrameSourceFactory.patternSize(source) == nil {
            throw ValidationError("\(source) requires a size, as in pattern:640x360.")
        }
    }

    func check() throws {
        if source.isEmpty { throw ValidationError("The source is empty; name a file, or - for standard input.") }
        try Self.check(source)
        if pixelFormat == nil, size != nil {
            throw ValidationError("--size describes raw frames and requires --pixel-format; to resize, use --width.")
        }
        if pixelFormat != nil, size == nil {
            throw ValidationError("--pixel-format requires --size WIDTHxHEIGHT.")
        }
        if let firstNumber, firstNumber < 0 {
            throw ValidationError("--first-number \(firstNumber) is negative; give 0 or more.")
        }
        if firstNumber != nil, NumberedPath(source) == nil {
            throw ValidationError("--first-number requires a numbered source, such as frames/%05d.png.")
        }
        if loop, source == "-" { throw ValidationError("--loop cannot repeat standard input; leave it out.") }
    }
}
