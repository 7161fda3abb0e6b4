import Texel

struct ResizeCommand: Command {
    static let description = CommandDescription(
        name: "resize",
        abstract: "Resize images.",
        examples: [
            "texel resize photo.jpg --width 1280",
            "texel resize photo.jpg --width 400 --height 400 --fit cover -o avatar.png",
            "texel resize photos/ -r --scale 50% -o half/",
            "texel resize photos/ -r --width 320,640,1280 -o web/  sizes for srcset",
            "texel resize photo.jpg --width 640 -o '{dir}/{name}-{width}w.{ext}'",
        ],
        discussion: """
            Images are never enlarged without --enlarge.
            """,
        brief: [
            "output", "recursive", "width", "height", "fit", "scale", "enlarge", "crop", "filter", "format", "quality",
            "overwrite",
        ])

    var files = FileOptions()
    var size = SizeOptions()
    var encoding = EncodingOptions()
    var turning = TurningOptions()
    var changes = ChangeOptions()
    var running = RunningOptions()

    static let options: [Option<Self>] =
        FileOptions.options(at: \.files, section: "Files")
        + SizeOptions.options(at: \.size, section: "Size")
        + EncodingOptions.options(at: \.encoding, section: "Writing")
        + TurningOptions.options(at: \.turning, section: "Turning")
        + ChangeOptions.options(at: \.changes)
        + RunningOptions.options(at: \.running, section: "Limits and reports")

    func run() async throws {
        try await RecipeCommand.resize.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
