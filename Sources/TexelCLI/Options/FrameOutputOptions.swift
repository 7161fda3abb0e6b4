import ArgumentParser
import Texel
import TexelFrames

/// Where and how frames are written.
struct FrameOutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file, - for standard output, images as out/%05d.jpg, shm:/path/to/socket, terminal or null.",
            discussion: "Without it, frames are shown in the terminal; if there is none, Y4M goes to standard output."
        ),
        completion: .file())
    var output: String?

    @Option(help: "y4m, bgra, rgba, i420, nv12, mjpeg, png or jpeg (default: by the output's extension).")
    var to: FrameFormatArgument?

    @Option(help: "Frames per second of Y4M, MJPEG and raw output, which store no times (default: the source's).")
    var toRate: RateArgument?

    @Option(help: "Chroma subsampling of Y4M and JPEG: auto, 444, 422, 420 or mono.")
    var subsampling = FrameSubsampling.auto

    @Option(name: [.customShort("q", allowingJoined: true), .long], help: "JPEG quality, 1 to 100 (default: 80).")
    var quality: Int?

    @Option(help: "CSS colour under transparent and uncovered pixels (default: black in videos, white in JPEGs).")
    var background: PixelColor?

    @Flag(help: "Replace existing outputs.")
    var overwrite = false

    func check() throws {
        if output == "" { throw ValidationError("--output is empty; name a file, or - for standard output.") }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality \(quality) is not between 1 and 100.")
        }
    }
}
