import Texel
import TexelFrames

/// Where and how frames are written.
struct FrameOutputOptions: OptionGroup {
    var output: String?
    var to: FrameFormatArgument?
    var toRate: RateArgument?
    var subsampling: FrameSubsampling?
    var quality: Int?
    var lossless = false
    var effort: Effort?
    var plays: Int?
    var background: PixelColor?
    var overwrite = false

    static let options: [Option<Self>] = [
        .text(
            "output", \.output,
            help: """
                A video or an animation such as out.webp, - for standard output, images as out/%05d.jpg, \
                shm:/path/to/socket, terminal or null.
                """
        ).short("o").note(
            "Without it, frames are shown in the terminal; if there is none, Y4M goes to standard output."
        ).completed(with: .file),
        .argument(
            "to", \.to, help: "y4m, bgra, rgba, i420, nv12, mjpeg, mp4, mov, matroska, webm, or the format of images."
        ).defaulting(
            to: "by the output's extension"),
        .argument(
            "to-rate", \.toRate, RateArgument.expectation,
            help: "Frames per second of Y4M, MJPEG and raw output, which store no times."
        ).defaulting(to: "the source's"),
        .argument(
            "subsampling", \.subsampling, help: "Chroma subsampling of Y4M and JPEG: auto, 444, 422, 420 or mono."
        ).defaulting(to: "auto"),
        .integer("quality", \.quality, .within(1...100), help: "Quality of images, animations and videos, 1 to 100.")
            .defaulting(to: "80").short("q"),
        .flag("lossless", \.lossless, help: "Write images and animations without loss."),
        .argument("effort", \.effort, help: "Effort to reduce the file size of an animation.").defaulting(to: "fast"),
        .integer("plays", \.plays, .from(0), help: "How often an animation is played.").defaulting(to: "0, endless"),
        .argument(
            "background", \.background, PixelColor.expectation,
            help: "CSS colour under transparent and uncovered pixels."
        ).defaulting(to: "black in videos, white in JPEGs"),
        .flag("overwrite", \.overwrite, help: "Replace existing outputs."),
    ]

    static let rules: [OptionRule] = [.excludes("lossless", ["quality"])]

    func checkMeaning() throws(OptionError) {
        if output == "" { throw OptionError("--output is empty; name a file, or - for standard output") }
    }
}
