/// The last line of a terminal, which is drawn anew again and again while other lines are printed above it.
@Reporting final class StatusLine {
    private var text = ""

    nonisolated init() {}

    func show(_ text: String) {
        self.text = text
        // Over the former one, so that nothing flickers.
        Console.write("\r" + text + "\u{1B}[K", to: .error)
    }

    func clear() {
        guard !text.isEmpty else { return }
        text = ""
        Console.write("\r\u{1B}[K", to: .error)
    }

    /// Prints whole lines above it.
    func print(_ print: () -> Void) {
        let shown = text
        clear()
        print()
        if !shown.isEmpty { show(shown) }
    }
}
