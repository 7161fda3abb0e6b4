import PlatformLibc
import SystemPackage
import Texel
import TexelCore
import TexelFrames
import TexelMetrics

/// The space for an image on standard output, and the protocol to draw it with.
struct TerminalCanvas: Sendable, Equatable {
    let `protocol`: TerminalProtocol
    /// The maximum size of an image, in drawn pixels.
    let box: PixelSize
    /// The size of a character in these pixels.
    let cell: PixelSize
    /// The number of columns to fill, if the size of a character in pixels is known only to the terminal; `nil`
    /// otherwise.
    let columnLimit: Int?
    /// Whether half blocks may have 24-bit colours.
    let hasTrueColor: Bool

    /// The size of a character in most terminals.
    private static let usualCell = PixelSize(width: 10, height: 20)
    /// The size of a character in half blocks: one column, two rows.
    private static let blockCell = PixelSize(width: 1, height: 2)
    /// The maximum number of lines if output is not a terminal.
    private static let endlessRows = 10_000

    /// Determines the properties of standard output. May block for a second.
    ///
    /// - Parameter lines: how many lines of the terminal are needed for text.
    init(_ options: TerminalOptions, lines: Int, stop: StopToken) {
        let output = FileDescriptor.standardOutput
        let isTerminal = Console.isTerminal(.output)
        let screen = TerminalScreen.current(descriptor: output.rawValue)
        var answers = TerminalAnswers([])
        if isTerminal, options.protocol != .blocks, Self.term != "dumb", Self.term != "linux",
            let query = TerminalQuery(output, stop: stop)
        {
            answers = query.ask(asksKitty: !Self.isInMultiplexer)
        }
        `protocol` =
            switch options.protocol ?? .auto {
            case .auto: answers.hasKitty ? .kitty : answers.hasSixel ? .sixel : .blocks
            case .kitty: .kitty
            case .sixel: .sixel
            case .blocks: .blocks
            }
        let columns = options.columns ?? (isTerminal ? screen.columns : 80)
        let rows = options.rows ?? (isTerminal ? max(1, screen.rows - lines) : Self.endlessRows)
        let known = Self.cell(of: output) ?? answers.cell
        cell = `protocol` == .blocks ? Self.blockCell : known ?? Self.usualCell
        box = PixelSize(width: columns * cell.width, height: rows * cell.height)
        columnLimit = `protocol` == .kitty && isTerminal && known == nil ? columns : nil
        hasTrueColor = screen.hasTrueColor || Self.term.hasSuffix("-direct")
    }

    private static var term: String { getenv("TERM").map { String(cString: $0) } ?? "" }

    /// tmux and screen interpret kitty's control strings as titles.
    private static var isInMultiplexer: Bool {
        getenv("TMUX") != nil || getenv("STY") != nil || term.hasPrefix("tmux") || term.hasPrefix("screen")
    }

    /// The size of a character reported by the kernel; many terminals do not set it.
    private static func cell(of terminal: FileDescriptor) -> PixelSize? {
        var size = winsize()
        guard ioctl(terminal.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
            size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
        else { return nil }
        return PixelSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    }

    /// Encodes an image for the terminal, with a line break at the end. It must fit into ``box``.
    func bytes(of image: PixelBuffer, on background: PixelColor?) throws(TexelError) -> [UInt8] {
        let opaque = try image.convertedToSRGB().laid(on: background)
        switch `protocol` {
        case .blocks: return opaque.blocks(hasTrueColor: hasTrueColor)
        case .sixel: return try SixelWriter.bytes(of: opaque)
        case .kitty: break
        }
        return KittyWriter.bytes(of: try opaque.encoded(as: .png(PNGOptions(effort: .fast))), columns: columnLimit)
    }
}

extension PixelBuffer {
    fileprivate func blocks(hasTrueColor: Bool) -> [UInt8] {
        var painter = TerminalPainter()
        painter.paint(CellGrid(size: size, colors: pixels.map { $0 & 0xFF_FFFF }), hasTrueColor: hasTrueColor)
        return painter.text
    }

    /// Composes the image over a colour, or over a checkerboard of two greys.
    func laid(on background: PixelColor?) throws(TexelError) -> PixelBuffer {
        if let background { return try flattened(on: background) }
        guard alphaMode != .opaque else { return self }
        let light = try flattened(on: PixelColor(red: 0x99, green: 0x99, blue: 0x99)).pixels
        let dark = try flattened(on: PixelColor(red: 0x66, green: 0x66, blue: 0x66)).pixels
        let square = max(1, min(8, width / 8))
        let colors = light.indices.map { index in
            (index % width / square + index / width / square) % 2 == 0 ? light[index] : dark[index]
        }
        return try PixelBuffer(width: width, height: height, pixels: colors, alphaMode: .opaque)
    }
}
