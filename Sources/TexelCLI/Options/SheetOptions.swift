import ArgumentParser
import Texel
import TexelSheets

/// The appearance of a contact sheet or gallery.
struct SheetOptions: ParsableArguments {
    @Option(help: "Images per row (default: up to 6).")
    var columns: Int?

    @Option(help: "Rows of a page (default: as many as fit); the rest is written to sheet-2.png and so on.")
    var rows: Int?

    @Option(help: "Cell size of each image: 256 or 320x240.")
    var cell = CellArgument(side: 256)

    @Option(help: "How images fill their cells: inside or cover.")
    var fit = SheetFit.inside

    @Flag(help: "Filter in linear light, which preserves the brightness of fine patterns.")
    var linear = false

    @Option(help: "Pixels between the cells.")
    var gap = 16

    @Option(help: "Pixels around all cells.")
    var margin = 16

    @Option(help: "A frame around each image: its width in pixels, and a CSS colour: 1,#888.")
    var frame: FrameArgument?

    @Option(help: "Background: a CSS colour such as white or #222.")
    var background = PixelColor.white

    @Option(help: "Text below each image: {name}, {path}, {width}, {height}, {bytes}, {format}; \\n breaks the line.")
    var caption = "{name}"

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Write captions.")
    var captions = true

    @Option(help: "Font file or family (default: the system's sans).", completion: .file())
    var font: String?

    @Option(help: "Font size in pixels.")
    var fontSize = 14

    @Option(help: "Colour of captions (default: readable on the background).")
    var textColor: PixelColor?

    func validate() throws {
        let counts = [("columns", columns, 1), ("rows", rows, 1), ("gap", gap, 0), ("margin", margin, 0)]
        for case (let name, let value?, let least) in counts where !(least...65_535).contains(value) {
            throw ValidationError("--\(name) \(value) is not between \(least) and 65535.")
        }
        guard (4...1000).contains(fontSize) else {
            throw ValidationError("--font-size \(fontSize) is not between 4 and 1000.")
        }
        _ = try captionTemplate()
    }

    private func captionTemplate() throws -> CaptionTemplate {
        do { return try CaptionTemplate(caption) } catch { throw ValidationError("\(error).") }
    }

    /// Makes the style of the flags.
    ///
    /// - Throws: `ValidationError`.
    func style() throws -> SheetStyle {
        var style = SheetStyle()
        style.columns = columns
        style.rows = rows
        style.cell = cell.size
        style.coversCell = fit == .cover
        style.gap = gap
        style.margin = margin
        style.frame = frame?.frame
        style.background = background
        style.caption = captions && !caption.isEmpty ? try captionTemplate() : nil
        style.font = font
        style.fontSize = fontSize
        style.textColor = textColor
        return style
    }
}

/// How an image fills its cell on a sheet.
enum SheetFit: String, NamedArgument {
    case inside, cover
}
