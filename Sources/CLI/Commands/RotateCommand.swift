import Texel

struct RotateCommand: Command {
    static let description = CommandDescription(
        name: "rotate",
        abstract: "Rotate images, in the plane or in space.",
        examples: [
            "texel rotate photo.jpg --angle 90",
            "texel rotate scan.png --angle -1.5 --background white",
            "texel rotate photo.jpg --flip h",
            "texel rotate photo.png --yaw 30 --pitch 10 -o turned.png",
        ],
        discussion: """
            Angles are clockwise. Multiples of 90 move pixels exactly; others enlarge the canvas.
            """,
        brief: [
            "output", "angle", "flip", "yaw", "pitch", "roll", "perspective", "background", "quality",
            "overwrite",
        ])

    var files = FileOptions()
    var turning = TurningOptions()
    var encoding = EncodingOptions()
    var size = SizeOptions()
    var changes = ChangeOptions()
    var running = RunningOptions()

    static let options: [Option<Self>] =
        FileOptions.options(at: \.files, section: "Files")
        + TurningOptions.options(at: \.turning, section: "Turning")
        + EncodingOptions.options(at: \.encoding, section: "Writing")
        + SizeOptions.options(at: \.size, section: "Size")
        + ChangeOptions.options(at: \.changes)
        + RunningOptions.options(at: \.running, section: "Limits and reports")

    func run() async throws {
        try await RecipeCommand.rotate.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
