package import TexelPixels

/// How a contact sheet looks.
package struct SheetStyle: Sendable, Hashable {
    package struct Frame: Sendable, Hashable {
        /// Pixels; it grows into the gap.
        package var width: Int
        package var color: PixelColor

        package init(width: Int, color: PixelColor) {
            self.width = width
            self.color = color
        }
    }

    /// `nil` is up to six.
    package var columns: Int?
    /// Rows of one page; `nil` is as many as there may be.
    package var rows: Int?
    /// The box that each picture is made for.
    package var cell = PixelSize(width: 256, height: 256)
    /// Whether pictures fill their boxes, and lose what is too much.
    package var coversCell = false
    /// Between the cells, and around all of them.
    package var gap = 16
    package var margin = 16
    package var frame: Frame?
    package var background = PixelColor.white
    /// `nil` has no captions.
    package var caption: CaptionTemplate?
    /// A file, or a family; `nil` is the machine's sans.
    package var font: String?
    /// Of the em square, in pixels.
    package var fontSize = 14
    /// `nil` is black or white, whichever can be read.
    package var textColor: PixelColor?

    package init() {}

    /// Of the captions.
    var ink: PixelColor {
        if let textColor { return textColor }
        let luma = 299 * Int(background.red) + 587 * Int(background.green) + 114 * Int(background.blue)
        return luma < 128_000 && background.alpha > 127
            ? PixelColor(red: 0xEE, green: 0xEE, blue: 0xEE) : PixelColor(red: 0x22, green: 0x22, blue: 0x22)
    }
}

/// Where everything lies on one page.
struct SheetLayout: Sendable, Hashable {
    let columns: Int
    let rows: Int
    let cell: PixelSize
    private let step: PixelSize
    private let margin: Int
    private let gap: Int
    private let captionHeight: Int

    /// Between a picture and its caption.
    static let captionGap = 6

    /// The pages for `count` pictures: all but the last are full.
    ///
    /// - Parameters:
    ///   - lineHeight: of the captions.
    ///   - longestSide: of a page.
    ///   - pixelLimit: pixels of a page.
    /// - Throws: `pageTooLarge` where not even one row has room, or not all that were asked for.
    static func pages(
        _ style: SheetStyle, count: Int, lineHeight: Int, longestSide: Int, pixelLimit: Int
    ) throws(SheetError) -> [SheetLayout] {
        let columns = min(style.columns ?? 6, max(count, 1))
        let total = max(1, (count + columns - 1) / columns)
        func layout(_ rows: Int) -> SheetLayout { SheetLayout(style, columns, rows, lineHeight) }
        func fits(_ rows: Int) -> Bool {
            let size = layout(rows).size
            return max(size.width, size.height) <= longestSide && size.pixelCount.map { $0 <= pixelLimit } == true
        }
        var most = min(style.rows ?? total, total)
        if style.rows == nil {
            // The largest number that fits, by halving.
            var (fitting, tooMany) = (0, most + 1)
            while tooMany - fitting > 1 {
                let middle = (fitting + tooMany) / 2
                if fits(middle) { fitting = middle } else { tooMany = middle }
            }
            most = fitting
        }
        guard most > 0, fits(most) else { throw .pageTooLarge(layout(max(most, 1)).size) }
        return stride(from: 0, to: total, by: most).map { layout(min(most, total - $0)) }
    }

    private init(_ style: SheetStyle, _ columns: Int, _ rows: Int, _ lineHeight: Int) {
        self.columns = columns
        self.rows = rows
        cell = style.cell
        gap = style.gap
        margin = style.margin
        captionHeight = style.caption.map { Self.captionGap + $0.lineCount * lineHeight } ?? 0
        step = PixelSize(width: cell.width + gap, height: cell.height + captionHeight + gap)
    }

    /// Of the page. The parser's bounds keep the sides below a million times a million.
    var size: PixelSize {
        PixelSize(width: 2 * margin + columns * step.width - gap, height: 2 * margin + rows * step.height - gap)
    }

    var slotCount: Int { columns * rows }

    /// The box of a picture.
    func box(_ slot: Int) -> PixelRectangle {
        PixelRectangle(
            x: margin + slot % columns * step.width, y: margin + slot / columns * step.height, width: cell.width,
            height: cell.height)
    }
}
