import Texel

/// How far a run is: a line that redraws itself on a terminal, or JSON lines, on standard error.
final class ProgressReport {
    private enum Style {
        case bar, json, none
    }

    private let style: Style
    private let start = ContinuousClock.now
    private var isVisible = false

    /// A run shorter than this needs no bar.
    private static let delay = Duration.milliseconds(500)

    init(_ mode: ProgressMode) {
        style =
            switch mode {
            case .auto: Console.isTerminal(.error) ? .bar : .none
            case .bar: .bar
            case .json: .json
            case .none: .none
            }
    }

    func show(_ tally: Tally, last: FileResult) {
        switch style {
        case .none: return
        case .json: Console.write(JSONLine.text(of: Progress(tally, last)) + "\n", to: .error)
        case .bar:
            let now = ContinuousClock.now
            guard tally.expected > 1, tally.done < tally.expected, now - start > Self.delay else { return }
            isVisible = true
            Console.write("\r" + line(tally), to: .error)
        }
    }

    /// Makes room for other lines.
    func clear() {
        guard isVisible else { return }
        isVisible = false
        Console.write("\r\u{1B}[K", to: .error)
    }

    private func line(_ tally: Tally) -> String {
        let counts = " \(tally.done)/\(tally.expected)  \(HumanReport.bytes(tally.inputBytes)) read"
        let remaining = tally.elapsed / Double(max(1, tally.done)) * Double(tally.expected - tally.done)
        let text = counts + "  \(HumanReport.milliseconds(remaining)) left"
        let width = max(0, min(40, Console.width - text.count - 3))
        let filled = width * tally.done / max(1, tally.expected)
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + text
    }

    /// One line of `--progress json`.
    private struct Progress: Encodable {
        let done: Int
        let total: Int
        let input: String
        let inputBytes: Int
        let outputBytes: Int

        init(_ tally: Tally, _ last: FileResult) {
            done = tally.done
            total = tally.expected
            input = last.input.string
            inputBytes = tally.inputBytes
            outputBytes = tally.outputBytes
        }
    }
}
