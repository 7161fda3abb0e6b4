import Texel
import TexelFilters
import TexelText

/// The text that is drawn on images.
struct TextDrawingOptions: OptionGroup {
    var text: TextArgument?
    var textFont: String?
    var textSize: Int?
    var textColor: PixelColor?
    var textOutline: TextOutlineArgument?
    var textWidth: Int?
    var textAlign: TextAlignment?
    var textBackground: PixelColor?
    var textGravity: Gravity?
    var textOffset: OffsetArgument?
    var textOpacity: Double?
    var textBlend: BlendMode?
    var textTile = false
    var textSpacing: Int?

    static let options: [Option<Self>] = [
        .argument(
            "text", \.text, "a text of at least one character",
            help: "Draw this text over the image; \\n starts a new line."),
        .text("text-font", \.textFont, help: "Font of --text: a file or a family.").defaulting(to: "the system's sans")
            .completed(with: .file),
        .integer("text-size", \.textSize, .within(1...10_000), help: "Size of letters in pixels.").defaulting(to: "32"),
        .argument("text-color", \.textColor, PixelColor.expectation, help: "Colour of letters.").defaulting(
            to: "white"),
        .argument(
            "text-outline", \.textOutline, "WIDTH[,COLOR] such as 2 or \"1.5,navy\"",
            help: "A line around letters: WIDTH[,COLOR], such as 2 or 1.5,navy (default colour: black)."),
        .integer(
            "text-width", \.textWidth, .within(1...1_000_000),
            help: "Break lines that are wider than this, in pixels."),
        .argument(
            "text-align", \.textAlign, help: "Where shorter lines are: start (default), center, end, left or right."),
        .argument(
            "text-background", \.textBackground, "a CSS colour such as \"white\" or \"#00000080\"",
            help: "Colour of a rectangle behind the text."),
        .argument(
            "text-gravity", \.textGravity,
            help: "Where the text is: center (default), a side, or a corner such as southeast."),
        .argument(
            "text-offset", \.textOffset, "X,Y in pixels such as \"16,16\"",
            help: "Move the text away from the edges of --text-gravity: X,Y in pixels."
        ).takingDashes,
        .number("text-opacity", \.textOpacity, .within(0...1), help: "Opacity of the text, 0 to 1."),
        .argument(
            "text-blend", \.textBlend, help: "How the text is mixed with the image: a CSS blend mode such as multiply."
        ).defaulting(to: "normal"),
        .flag("text-tile", \.textTile, help: "Cover the whole image with copies of the text."),
        .integer("text-spacing", \.textSpacing, .within(0...1_000_000), help: "Pixels between the copies."),
    ]

    static let rules: [OptionRule] =
        options.map(\.name).filter { $0 != "text" && $0 != "text-spacing" }.map { .requires($0, oneOf: ["text"]) }
        + [.requires("text-spacing", oneOf: ["text-tile"])]

    func checkMeaning() throws(OptionError) {
        do throws(TexelError) {
            _ = try image()
        } catch {
            let option: OptionName =
                switch error.kind {
                case .noFonts, .unusableFont, .unknownFontFamily: "text-font"
                default: "text"
                }
            throw OptionError("\(option: option): \(ErrorText.sentence(error))")
        }
    }

    var asksForSomething: Bool { text != nil }

    /// The operation of the flags. A text that cannot be drawn is refused by the check of the options.
    func operations(usesLinearLight: Bool) -> [PixelOperation] {
        guard let image = try? image() else { return [] }
        return [
            .overlay(
                OverlayOptions(
                    image, gravity: textGravity ?? .center, offsetX: textOffset?.x ?? 0, offsetY: textOffset?.y ?? 0,
                    opacity: textOpacity ?? 1, blendMode: textBlend ?? .normal,
                    tileSpacing: textTile ? textSpacing ?? 0 : nil, usesLinearLight: usesLinearLight))
        ]
    }

    /// Draws the text, unless that was done already.
    ///
    /// - Returns: `nil` if there is no text.
    func image() throws(TexelError) -> OverlayImage? {
        guard let text else { return nil }
        var options = TextOptions(text.text, font: textFont, outline: textOutline?.outline, width: textWidth)
        if let textSize { options.size = textSize }
        if let textColor { options.color = textColor }
        if let textAlign { options.alignment = textAlign }
        options.background = textBackground
        return try text.drawn.image(options)
    }
}
