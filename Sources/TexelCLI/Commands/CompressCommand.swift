import ArgumentParser
import Texel

struct CompressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "compress",
        abstract: "Make image files smaller.",
        discussion: """
            texel compress photo.jpg -q 75
            texel compress photos/ -r -o small/ --width 1920
            texel compress *.png --in-place
            cat photo.jpg | texel compress - > small.jpg

            A file that would grow keeps its pixel data. Resize and rotate flags can be added.
            """)

    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Writing") var encoding: EncodingOptions
    @OptionGroup(title: "Size") var size: SizeOptions
    @OptionGroup(title: "Turning") var turning: TurningOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup(title: "Limits and reports") var running: RunningOptions

    func run() async throws {
        try await RecipeCommand.compress.run(
            files, running, RecipeOptions(encoding, size, turning, changes, running.work))
    }
}
