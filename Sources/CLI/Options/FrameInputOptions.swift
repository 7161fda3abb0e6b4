import Texel
import TexelFrames

/// Where frames are read from.
struct FrameInputOptions: OptionGroup {
    var source = ""
    var size: SizeArgument?
    var pixelFormat: RawFrameFormat?
    var rate: RateArgument?
    var firstNumber: Int?
    var matrix: YUVMatrix?
    var range: YUVRange?
    var loop = false
    var stallTimeout: DurationArgument?

    static let options: [Option<Self>] = [
        .operand("source", \.source, help: "A file, - for standard input, a camera, a directory, or a pattern.").note(
            """
            Y4M, MJPEG, animations, JPEG and the pages of a TIFF are read directly, other videos and \
            /dev/video0 through FFmpeg's libraries; \
            frames/%05d.png and 'frames/*.jpg' are sequences, a directory is a sequence that may still grow, \
            pattern:1280x720 is a test pattern.
            """),
        .argument("size", \.size, "a size such as \"1280x720\"", help: "WIDTHxHEIGHT of raw frames."),
        .argument("pixel-format", \.pixelFormat, help: "Memory layout of raw frames: bgra, rgba, i420 or nv12."),
        .argument(
            "rate", \.rate, RateArgument.expectation,
            help: "Frames per second if the source has no rate: 30, 29.97 or 30000/1001."
        ).defaulting(to: "25"),
        .integer("first-number", \.firstNumber, .from(0), help: "First number of a sequence such as frames/%05d.png.")
            .defaulting(to: "the lowest"),
        .argument("matrix", \.matrix, help: "YUV matrix of input and output.").defaulting(
            to: "as tagged; untagged and in outputs, by the size"),
        .argument("range", \.range, help: "YUV range of input and output.").defaulting(to: "as tagged, else limited"),
        .flag("loop", \.loop, help: "Repeat the source."),
        .argument(
            "stall-timeout", \.stallTimeout, DurationArgument.expectation,
            help: "How long to wait for data from a pipe, a camera or a URL: 10, 10s or 500ms."),
    ]

    /// Whether the stream ends only when it is interrupted.
    var isEndless: Bool { loop || source.hasPrefix(FrameSourceFactory.patternPrefix) }

    static func check(_ source: String) throws(OptionError) {
        if source.hasPrefix(FrameSourceFactory.patternPrefix), FrameSourceFactory.patternSize(source) == nil {
            throw OptionError("\(source) requires a size, as in pattern:640x360")
        }
    }

    func checkMeaning() throws(OptionError) {
        if source.isEmpty { throw OptionError("The source is empty; name a file, or - for standard input") }
        try Self.check(source)
        if pixelFormat == nil, size != nil {
            throw OptionError("--size describes raw frames and requires --pixel-format; to resize, use --width")
        }
        if pixelFormat != nil, size == nil {
            throw OptionError("--pixel-format requires --size WIDTHxHEIGHT")
        }
        if firstNumber != nil, NumberedPath(source) == nil {
            throw OptionError("--first-number requires a numbered source, such as frames/%05d.png")
        }
        if loop, source == "-" { throw OptionError("--loop cannot repeat standard input; leave it out") }
    }
}
