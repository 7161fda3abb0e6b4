import ArgumentParser
import Texel

struct ResizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "resize",
        abstract: "Resize images.",
        discussion: """
            texel resize photo.jpg --width 1280
            texel resize photo.jpg --width 400 --height 400 --fit cover -o avatar.png
            texel resize photos/ -r --scale 50% -o half/
            texel resize photos/ -r --width 320,640,1280 -o web/    sizes for srcset, from a single decode
            texel resize photo.jpg --width 640 -o '{dir}/{name}-{width}w.{ext}'

            Images are never enlarged without --enlarge.
            """)

    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Size") var size: SizeOptions
    @OptionGroup(title: "Writing") var encoding: EncodingOptions
    @OptionGroup(title: "Turning") var turning: TurningOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup(title: "Limits and reports") var running: RunningOptions

    func run() async throws {
        try await RecipeCommand.resize.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
