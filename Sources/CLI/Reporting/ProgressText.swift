import SystemPackage
import Texel

/// The contents of a progress bar.
struct ProgressText {
    /// The finished fraction of all work, 0…1.
    let fraction: Double
    private let columns: [String]

    /// A file that is being processed, and for how long.
    struct File {
        let name: String
        let elapsed: Duration

        /// Whether the file takes long enough to be shown.
        fileprivate var isSlow: Bool { elapsed >= .seconds(1) }
    }

    /// - Parameters:
    ///   - count: the number of all results.
    ///   - summary: the results so far.
    ///   - fractions: the finished fraction of each file that is being processed.
    ///   - elapsed: the time since the start.
    init(_ count: Int, _ summary: BatchSummary, fractions: [Double], elapsed: Duration) {
        self.init(
            count, done: summary.doneCount, skipped: summary.skippedCount, inputBytes: summary.inputBytes,
            fractions: fractions, elapsed: elapsed)
    }

    /// - Parameters:
    ///   - count: the number of all results.
    ///   - doneCount: the number of results so far.
    ///   - skippedCount: how many of them took no time.
    ///   - inputBytes: the bytes of the inputs so far.
    ///   - fractions: the finished fraction of each file that is being processed.
    ///   - elapsed: the time since the start.
    init(
        _ count: Int, done doneCount: Int, skipped skippedCount: Int = 0, inputBytes: Int, fractions: [Double] = [],
        elapsed: Duration
    ) {
        let active = fractions.reduce(0, +)
        fraction = min(1, (Double(doneCount) + active) / Double(max(1, count)))
        let seconds = elapsed / .seconds(1)
        // Skipped files took no time, so they are no basis for an estimate.
        let worked = Double(doneCount - skippedCount) + active
        var columns: [String]
        if count > 1 {
            let done = "\(doneCount)"
            let padding = String(repeating: " ", count: max(0, "\(count)".count - done.count))
            columns = ["\(padding)\(done)/\(count)", HumanReport.bytes(inputBytes)]
            if seconds > 0, inputBytes > 0 {
                columns.append("\(HumanReport.bytes(Int(Double(inputBytes) / seconds)))/s")
            }
        } else {
            columns = ["\(Int(fraction * 100)) %"]
        }
        if worked > 0 {
            let left = Double(count - doneCount) - active
            columns.append("\(HumanReport.timeLeft(elapsed * (max(0, left) / worked))) left")
        }
        self.columns = columns
    }

    /// Formats the line.
    ///
    /// - Parameters:
    ///   - width: the maximum number of characters.
    ///   - slowest: the file that has been processed for longest.
    ///   - isColored: whether to use terminal colours.
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
