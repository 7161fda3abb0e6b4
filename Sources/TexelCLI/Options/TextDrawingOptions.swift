import ArgumentParser
import Texel
import TexelText

/// The text that is drawn on images.
struct TextDrawingOptions: ParsableArguments {
    @Option(help: "Draw this text over the image; \\n starts a new line.")
    var text: TextArgument?

    @Option(help: "Font of --text: a file or a family (default: the system's sans).", completion: .file())
    var textFont: String?

    @Option(help: "Size of letters in pixels (default: 32).")
    var textSize: Int?

    @Option(help: "Colour of letters (default: white).")
    var textColor: PixelColor?

    @Option(help: "A line around letters: WIDTH[,COLOR], such as 2 or 1.5,navy (default colour: black).")
    var textOutline: TextOutlineArgument?

    @Option(help: "Break lines that are wider than this, in pixels.")
    var textWidth: Int?

    @Option(help: "Where shorter lines are: start (default), center, end, left or right.")
    var textAlign: TextAlignment?

    @Option(help: "Colour of a rectangle behind the text.")
    var textBackground: PixelColor?

    @Option(help: "Where the text is: center (default), a side, or a corner such as southeast.")
    var textGravity: Gravity?

    @Option(parsing: .unconditional, help: "Move the text away from the edges of --text-gravity: X,Y in pixels.")
    var textOffset: OffsetArgument?

    @Option(help: "Opacity of the text, 0 to 1.")
    var textOpacity: Double?

    @Option(help: "How the text is mixed with the image: a CSS blend mode such as multiply (default: normal).")
    var textBlend: BlendMode?

    @Flag(help: "Cover the whole image with copies of the text.")
    var textTile = false

    @Option(help: "Pixels between the copies.")
    var textSpacing: Int?

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
    func image() throws(TextError) -> OverlayImage? {
        guard let text else { return nil }
        var options = TextOptions(text.text, font: textFont, outline: textOutline?.outline, width: textWidth)
        if let textSize { options.size = textSize }
        if let textColor { options.color = textColor }
        if let textAlign { options.alignment = textAlign }
        options.background = textBackground
        return try text.drawn.image(options)
    }
}
