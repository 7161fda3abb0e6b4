import Texel

/// How images are drawn in the terminal.
struct TerminalOptions: OptionGroup {
    var `protocol`: ProtocolArgument?
    var columns: Int?
    var rows: Int?
    var background: PixelColor?

    static let options: [Option<Self>] = [
        .argument("protocol", \.protocol, help: "auto, kitty, sixel or blocks; auto detects the best one.").defaulting(
            to: "auto"),
        .integer("columns", \.columns, .within(1...10_000), help: "Width in characters.").defaulting(
            to: "the terminal's, or 80"),
        .integer("rows", \.rows, .within(1...10_000), help: "Height in lines.").defaulting(
            to: "one less than the terminal's; without a terminal, as many as needed"),
        .argument(
            "background", \.background, PixelColor.expectation, help: "Colour under transparent pixels: a CSS colour."
        ).defaulting(to: "a checkerboard"),
    ]

}

/// A protocol to draw images in a terminal, or `auto` to detect it.
enum ProtocolArgument: String, NamedArgument {
    case auto, kitty, sixel, blocks
}
