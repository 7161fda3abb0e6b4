#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a terminal can show.
public struct TerminalScreen: Sendable, Hashable {
    public var columns: Int
    public var rows: Int
    /// Whether it knows 24-bit colours; else the 256 of xterm.
    public var hasTrueColor: Bool

    public init(columns: Int, rows: Int, hasTrueColor: Bool) {
        self.columns = columns
        self.rows = rows
        self.hasTrueColor = hasTrueColor
    }

    /// The terminal at this descriptor as it is now, 80 × 24 where it does not say; COLORTERM tells the colours.
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
