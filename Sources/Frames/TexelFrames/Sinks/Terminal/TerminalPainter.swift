import TexelMetrics
import TexelPixels

/// Encodes a colour grid as terminal text: upper half blocks with the upper sample as foreground and the lower one as
/// background colour.
package struct TerminalPainter {
    /// The encoded text of the last call.
    package private(set) var text: [UInt8] = []
    private var hasTrueColor = true

    /// Creates a painter without text.
    package init() {}

    /// Restores colours and cursor, below the caption.
    static let farewell = Array("\u{1B}[0m\u{1B}[?25h\r\n".utf8)

    private static let hideCursorAndClear: StaticString = "\u{1B}[?25l\u{1B}[2J"
    private static let home: StaticString = "\u{1B}[H"
    private static let reset: StaticString = "\u{1B}[0m"
    private static let clearLine: StaticString = "\u{1B}[K"

    /// Encodes the grid from the top left of the screen on, and the caption below it.
    mutating func paint(_ grid: borrowing CellGrid, caption: [UInt8], on screen: TerminalScreen, clearing: Bool) {
        text.removeAll(keepingCapacity: true)
        hasTrueColor = screen.hasTrueColor
        if clearing { append(Self.hideCursorAndClear) }
        append(Self.home)
        for y in stride(from: 0, to: grid.size.height, by: 2) {
            paintLine(grid, y)
            append(Self.reset)
            append(Self.clearLine)
            append("\r\n")
        }
        text.append(contentsOf: caption)
        append(Self.clearLine)
    }

    /// Encodes the grid from the cursor position on, line by line.
    package mutating func paint(_ grid: borrowing CellGrid, hasTrueColor: Bool) {
        text.removeAll(keepingCapacity: true)
        self.hasTrueColor = hasTrueColor
        for y in stride(from: 0, to: grid.size.height, by: 2) {
            paintLine(grid, y)
            append(Self.reset)
            append("\n")
        }
    }

    /// Writes a colour only where it differs from the cell before.
    private mutating func paintLine(_ grid: borrowing CellGrid, _ y: Int) {
        var (upper, lower): (UInt32?, UInt32?) = (nil, nil)
        let hasLower = y + 1 < grid.size.height
        for x in 0..<grid.size.width {
            let above = color(grid.colors[y * grid.size.width + x])
            if above != upper { append(above, isBackground: false) }
            upper = above
            if hasLower {
                let below = color(grid.colors[(y + 1) * grid.size.width + x])
                if below != lower { append(below, isBackground: true) }
                lower = below
            }
            append("▀")
        }
    }

    /// The colour itself on a true colour terminal, else the index of the nearest palette colour.
    private func color(_ color: UInt32) -> UInt32 { hasTrueColor ? color : XtermPalette.nearest(to: color) }

    private mutating func append(_ color: UInt32, isBackground: Bool) {
        append(isBackground ? "\u{1B}[48;" : "\u{1B}[38;")
        if hasTrueColor {
            append("2;")
            append(color >> 16)
            append(";")
            append(color >> 8 & 255)
            append(";")
            append(color & 255)
        } else {
            append("5;")
            append(color)
        }
        append("m")
    }

    private mutating func append(_ constant: StaticString) {
        constant.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    /// Appends a number below 1000.
    private mutating func append(_ number: UInt32) {
        let zero = UInt32(UInt8(ascii: "0"))
        if number >= 100 { text.append(UInt8(zero + number / 100)) }
        if number >= 10 { text.append(UInt8(zero + number / 10 % 10)) }
        text.append(UInt8(zero + number % 10))
    }
}

/// xterm's palette of 256 colours: 16 that users can change, a 6 × 6 × 6 cube and 24 greys.
enum XtermPalette {
    /// The index of the nearest colour of the cube and the greys; `color` is 0x00RRGGBB.
    static func nearest(to color: UInt32) -> UInt32 {
        let (red, green, blue) = (Int(color >> 16), Int(color >> 8 & 255), Int(color & 255))
        let (r, g, b) = (step(red), step(green), step(blue))
        let inCube = distance(red - level(r), green - level(g), blue - level(b))
        // The greys are 8, 18 … 238.
        let gray = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let value = 8 + 10 * gray
        let inGrays = distance(red - value, green - value, blue - value)
        return UInt32(inGrays < inCube ? 232 + gray : 16 + 36 * r + 6 * g + b)
    }

    /// The levels of the cube: 0, 95, 135, 175, 215, 255.
    private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }

    private static func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }

    private static func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        red * red + green * green + blue * blue
    }
}
