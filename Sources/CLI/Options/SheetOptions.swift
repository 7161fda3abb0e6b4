import Texel
import TexelSheets

/// The appearance of a contact sheet or gallery.
struct SheetOptions: OptionGroup {
    var columns: Int?
    var rows: Int?
    var cell: CellArgument?
    var fit: SheetFit?
    var linear = false
    var gap: Int?
    var margin: Int?
    var frame: FrameArgument?
    var background: PixelColor?
    var caption: String?
    var captions: Bool?
    var font: String?
    var fontSize: Int?
    var textColor: PixelColor?

    static let options: [Option<Self>] = [
        .integer("columns", \.columns, .within(1...65_535), help: "Images per row.").defaulting(to: "up to 6"),
        .integer(
            "rows", \.rows, .within(1...65_535), help: "Rows of a page; the rest is written to sheet-2.png and so on."
        ).defaulting(to: "as many as fit"),
        .argument(
            "cell", \.cell, "a side such as 256, or a size such as \"320x240\"",
            help: "Cell size of each image: 256 or 320x240."
        ).defaulting(to: "256"),
        .argument("fit", \.fit, help: "How images fill their cells: inside or cover.").defaulting(to: "inside"),
        .flag("linear", \.linear, help: "Filter in linear light, which preserves the brightness of fine patterns."),
        .integer("gap", \.gap, .within(0...65_535), help: "Pixels between the cells.").defaulting(to: "16"),
        .integer("margin", \.margin, .within(0...65_535), help: "Pixels around all cells.").defaulting(to: "16"),
        .argument(
            "frame", \.frame, "WIDTH[,COLOR] such as 1 or \"1,#888\"",
            help: "A frame around each image: its width in pixels, and a CSS colour: 1,#888."),
        .argument(
            "background", \.background, PixelColor.expectation, help: "Background: a CSS colour such as white or #222."
        ).defaulting(to: "white"),
        .text(
            "caption", \.caption,
            help: "Text below each image: {name}, {path}, {width}, {height}, {bytes}, {format}; \\n breaks the line."
        ).defaulting(to: "{name}"),
        .flag("captions", \.captions, help: "Write captions.").defaulting(to: "--captions"),
        .flag("no-captions", \.captions, isInverted: true),
        .text("font", \.font, help: "Font file or family.").defaulting(to: "the system's sans").completed(with: .file),
        .integer("font-size", \.fontSize, .within(4...1000), help: "Font size in pixels.").defaulting(to: "14"),
        .argument("text-color", \.textColor, PixelColor.expectation, help: "Colour of captions.").defaulting(
            to: "readable on the background"),
    ]

    func checkMeaning() throws(OptionError) { _ = try captionTemplate() }

    private func captionTemplate() throws(OptionError) -> CaptionTemplate {
        do throws(TexelError) {
            return try CaptionTemplate(caption ?? "{name}")
        } catch {
            throw OptionError("\(error)")
        }
    }

    /// Makes the style of the flags.
    ///
    /// - Throws: `OptionError`.
    func style() throws(OptionError) -> SheetStyle {
        var style = SheetStyle()
        style.columns = columns
        style.rows = rows
        style.cell = cell?.size ?? PixelSize(width: 256, height: 256)
        style.coversCell = fit == .cover
        style.gap = gap ?? 16
        style.margin = margin ?? 16
        style.frame = frame?.frame
        style.background = background ?? .white
        style.caption = captions != false && caption != "" ? try captionTemplate() : nil
        style.font = font
        style.fontSize = fontSize ?? 14
        style.textColor = textColor
        return style
    }
}

/// How an image fills its cell on a sheet.
enum SheetFit: String, NamedArgument {
    case inside, cover
}
