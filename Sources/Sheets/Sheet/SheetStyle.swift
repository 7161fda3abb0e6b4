import TexelCore
package import TexelPixels

/// The appearance of a contact sheet.
package struct SheetStyle: Sendable, Hashable {
    /// A border around each image.
    package struct Frame: Sendable, Hashable {
        /// The width in pixels; the border is drawn into the gap.
        package var width: Int
        /// The colour of the border.
        package var color: PixelColor

        /// Creates a border.
        package init(width: Int, color: PixelColor) {
            self.width = width
            self.color = color
        }
    }

    /// The number of columns; `nil` for up to six.
    package var columns: Int?
    /// The number of rows per page; `nil` for as many as the limits allow.
    package var rows: Int?
    /// The box that each image is scaled to, in pixels.
    package var cell = PixelSize(width: 256, height: 256)
    /// Whether images fill their boxes and are cropped; otherwise they fit inside.
    package var coversCell = false
    /// The space between cells, in pixels.
    package var gap = 16
    /// The space around all cells, in pixels.
    package var margin = 16
    /// The border around each image; `nil` for none.
    package var frame: Frame?
    /// The colour of the page.
    package var background = PixelColor.white
    /// The text below each image; `nil` for none.
    package var caption: CaptionTemplate?
    /// A font file or a family; `nil` for the system's sans-serif font.
    package var font: String?
    /// The size of the em square in pixels.
    package var fontSize = 14
    /// The colour of captions; `nil` for dark or light grey, whichever contrasts with the background.
    package var textColor: PixelColor?

    /// Creates the default style.
    package init() {}

    /// The colour of captions.
    var ink: PixelColor {
        if let textColor { return textColor }
        let luma = 299 * Int(background.red) + 587 * Int(background.green) + 114 * Int(background.blue)
        return luma < 128_000 && background.alpha > 127
            ? PixelColor(red: 0xEE, green: 0xEE, blue: 0xEE) : PixelColor(red: 0x22, green: 0x22, blue: 0x22)
    }
}

/// The layout of one page.
struct SheetLayout: Sendable, Hashable {
    let columns: Int
    let rows: Int
    let cell: PixelSize
    private let step: PixelSize
    private let margin: Int
    private let gap: Int
    private let captionHeight: Int

    /// The space between an image and its caption, in pixels.
    static let captionGap = 6

    /// Divides `count` images into pages; all but the last are full.
    ///
    /// - Parameters:
    ///   - style: The style.
    ///   - count: The number of images.
    ///   - lineHeight: The height of a caption line in pixels.
    ///   - longestSide: The maximum side of a page in pixels.
    ///   - pixelLimit: The maximum number of pixels of a page.
    /// - Throws: `pageTooLarge` if a page of one row, or of the requested number of rows, exceeds the limits.
    static func pages(
        _ style: SheetStyle, count: Int, lineHeight: Int, longestSide: Int, pixelLimit: Int
    ) throws(TexelError) -> [SheetLayout] {
        let columns = min(style.columns ?? 6, max(count, 1))
        let total = max(1, (count + columns - 1) / columns)
        func layout(_ rows: Int) -> SheetLayout { SheetLayout(style, columns, rows, lineHeight) }
        func fits(_ rows: Int) -> Bool {
            let size = layout(rows).size
            return max(size.width, size.height) <= longestSide && size.pixelCount.map { $0 <= pixelLimit } == true
        }
        var most = min(style.rows ?? total, total)
        if style.rows == nil {
            // Binary search for the largest number of rows that fits.
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

    /// The size of the page. Does not overflow: the parser limits columns and cell sizes to a million each.
    var size: PixelSize {
        PixelSize(width: 2 * margin + columns * step.width - gap, height: 2 * margin + rows * step.height - gap)
    }

    var slotCount: Int { columns * rows }

    /// The box of the image in a slot; slots are numbered row by row.
    func box(_ slot: Int) -> PixelRectangle {
        PixelRectangle(
            x: margin + slot % columns * step.width, y: margin + slot / columns * step.height, width: cell.width,
            height: cell.height)
    }
}
