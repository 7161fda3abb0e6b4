import ArgumentParser
import Texel

/// How images are drawn in the terminal.
struct TerminalOptions: ParsableArguments {
    @Option(help: "auto, kitty, sixel or blocks; auto detects the best one.")
    var `protocol` = ProtocolArgument.auto

    @Option(help: "Width in characters (default: the terminal's, or 80).")
    var columns: Int?

    @Option(help: "Height in lines (default: one less than the terminal's; without a terminal, as many as needed).")
    var rows: Int?

    @Option(help: "Colour under transparent pixels: a CSS colour (default: a checkerboard).")
    var background: PixelColor?

    func validate() throws {
        for case (let name, let count?) in [("columns", columns), ("rows", rows)] where !(1...10_000).contains(count) {
            throw ValidationError("--\(name) \(count) is not between 1 and 10000.")
        }
    }
}

/// A protocol to draw images in a terminal, or `auto` to detect it.
enum ProtocolArgument: String, NamedArgument {
    case auto, kitty, sixel, blocks
}
