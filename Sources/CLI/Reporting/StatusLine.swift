import Texel

/// The last line of a terminal, which is redrawn while other lines are printed above it.
///
/// It is overwritten without clearing it first, so that it does not flicker.
@Reporting final class StatusLine {
    private var text = ""

    nonisolated init() {}

    private static let clearToEnd = "\u{1B}[K"

    func show(_ text: String) {
        self.text = text
        Console.write("\r" + text + Self.clearToEnd, to: .error)
    }

    func clear() {
        guard !text.isEmpty else { return }
        text = ""
        Console.write("\r" + Self.clearToEnd, to: .error)
    }

    /// Prints whole lines above the status line.
    func print(_ lines: String, to stream: Console.Stream) {
        guard !text.isEmpty, Console.isTerminal(stream) else { return Console.write(lines, to: stream) }
        let lines = lines.split(separator: "\n").map { "\($0)\(Self.clearToEnd)\n" }.joined()
        // In one write, so that the status line never disappears.
        if stream == .error || Console.isOneTerminal {
            return Console.write("\r" + lines + text + Self.clearToEnd, to: .error)
        }
        Console.write("\r", to: .error)
        Console.write(lines, to: stream)
        Console.write(text + Self.clearToEnd, to: .error)
    }
}
