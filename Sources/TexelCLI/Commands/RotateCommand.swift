import ArgumentParser
import Texel

struct RotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "rotate",
        abstract: "Rotate images, in the plane or in space.",
        discussion: """
            texel rotate photo.jpg --angle 90
            texel rotate scan.png --angle -1.5 --background white
            texel rotate photo.jpg --flip h
            texel rotate photo.png --yaw 30 --pitch 10 -o turned.png

            Angles are clockwise. Multiples of 90 move pixels exactly; others enlarge the canvas.
            """)

    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Turning") var turning: TurningOptions
    @OptionGroup(title: "Writing") var encoding: EncodingOptions
    @OptionGroup(title: "Size") var size: SizeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup(title: "Limits and reports") var running: RunningOptions

    func run() async throws {
        try await RecipeCommand.rotate.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
