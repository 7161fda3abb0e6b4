import PlatformLibc

/// The size and colour depth of a terminal.
public struct TerminalScreen: Sendable, Hashable {
    /// The width in character cells.
    public var columns: Int
    /// The height in character cells.
    public var rows: Int
    /// Whether it supports 24-bit colours; otherwise xterm's 256 colours are used.
    public var hasTrueColor: Bool

    /// Creates a description from its properties.
    public init(columns: Int, rows: Int, hasTrueColor: Bool) {
        self.columns = columns
        self.rows = rows
        self.hasTrueColor = hasTrueColor
    }

    /// Queries the terminal at a descriptor; 80 × 24 if the size is unknown. Colour depth comes from COLORTERM.
    public static func current(descriptor: CInt) -> TerminalScreen {
        let colors = getenv("COLORTERM").map { String(cString: $0) } ?? ""
        var screen = TerminalScreen(columns: 80, rows: 24, hasTrueColor: ["truecolor", "24bit"].contains(colors))
        screen.updateSize(descriptor: descriptor)
        return screen
    }

    mutating func updateSize(descriptor: CInt) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return }
        (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    }
}
