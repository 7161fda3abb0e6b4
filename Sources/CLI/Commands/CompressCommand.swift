import Texel

struct CompressCommand: Command {
    static let description = CommandDescription(
        name: "compress",
        abstract: "Make image files smaller.",
        examples: [
            "texel compress photo.jpg -q 75",
            "texel compress photos/ -r -o small/ --width 1920",
            "texel compress *.png --in-place",
            "cat photo.jpg | texel compress - > small.jpg",
        ],
        discussion: """
            A file that would grow keeps its pixel data. Resize and rotate flags can be added.
            """,
        brief: [
            "output", "recursive", "in-place", "format", "quality", "max-bytes", "target-score", "effort", "width",
            "angle", "metadata",
        ])

    var files = FileOptions()
    var encoding = EncodingOptions()
    var size = SizeOptions()
    var turning = TurningOptions()
    var changes = ChangeOptions()
    var running = RunningOptions()

    static let options: [Option<Self>] =
        FileOptions.options(at: \.files, section: "Files")
        + EncodingOptions.options(at: \.encoding, section: "Writing")
        + SizeOptions.options(at: \.size, section: "Size")
        + TurningOptions.options(at: \.turning, section: "Turning")
        + ChangeOptions.options(at: \.changes)
        + RunningOptions.options(at: \.running, section: "Limits and reports")

    func run() async throws {
        try await RecipeCommand.compress.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
