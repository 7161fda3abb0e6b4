import SystemPackage
import Texel

/// What a progress bar says, as a line of text.
struct ProgressText {
    /// Of all work, 0…1.
    let fraction: Double
    private let columns: [String]

    /// A file that is being worked on, and for how long.
    struct File {
        let name: String
        let elapsed: Duration

        /// What takes less is not worth a word.
        fileprivate var isSlow: Bool { elapsed >= .seconds(1) }
    }

    /// - Parameters:
    ///   - count: of all results.
    ///   - summary: of those that are there.
    ///   - fractions: how much is done of each that is being worked on.
    init(_ count: Int, _ summary: BatchSummary, fractions: [Double], elapsed: Duration) {
        let active = fractions.reduce(0, +)
        fraction = min(1, (Double(summary.doneCount) + active) / Double(max(1, count)))
        let seconds = elapsed / .seconds(1)
        // What was skipped took no time, and tells nothing of what is to come.
        let worked = Double(summary.doneCount - summary.skippedCount) + active
        var columns: [String]
        if count > 1 {
            let done = "\(summary.doneCount)"
            let padding = String(repeating: " ", count: max(0, "\(count)".count - done.count))
            columns = ["\(padding)\(done)/\(count)", HumanReport.bytes(summary.inputBytes)]
            if seconds > 0, summary.inputBytes > 0 {
                columns.append("\(HumanReport.bytes(Int(Double(summary.inputBytes) / seconds)))/s")
            }
        } else {
            columns = ["\(Int(fraction * 100)) %"]
        }
        if worked > 0 {
            let left = Double(count - summary.doneCount) - active
            columns.append("\(HumanReport.timeLeft(elapsed * (max(0, left) / worked))) left")
        }
        self.columns = columns
    }

    /// - Parameters:
    ///   - width: characters that may be used.
    ///   - slowest: the file that has been worked on for longest.
    func line(width: Int, slowest: File?, isColored: Bool) -> String {
        let text = columns.joined(separator: "  ")
        var room = width - text.count - 2
        let bar = max(0, min(30, room))
        room -= bar + 2
        let filled = Int(Double(bar) * fraction)
        var line = Self.colored(String(repeating: "█", count: filled), "36", isColored)
        line += Self.colored(String(repeating: "░", count: bar - filled), "2", isColored)
        line += (bar > 0 ? "  " : "") + String(text.prefix(width))
        if let slowest, slowest.isSlow, room >= 16 {
            let time = " \(HumanReport.timeLeft(slowest.elapsed))"
            let name = FilePath(slowest.name).lastComponent?.string ?? slowest.name
            line += "  " + Self.colored(TerminalText.shortened(name, to: room - time.count) + time, "2", isColored)
        }
        return line
    }

    private static func colored(_ text: String, _ code: String, _ isColored: Bool) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
