import Texel

/// How far a batch is, as a line that redraws itself on a terminal.
@Reporting final class ProgressBar {
    private let line: StatusLine
    private var count = 0
    private var summary = BatchSummary()
    /// How much of each picture is done that is being worked on.
    private var fractions: [Int: Double] = [:]
    private let start = ContinuousClock.now
    private var nextTime: ContinuousClock.Instant

    /// A run shorter than this needs no bar.
    private static let delay = Duration.milliseconds(500)
    /// No eye sees more.
    private static let interval = Duration.milliseconds(50)

    init(_ line: StatusLine) {
        self.line = line
        nextTime = start + Self.delay
    }

    func follow(_ listener: BroadcastListener<BatchEvent>) async {
        for await event in listener {
            receive(event)
            let now = ContinuousClock.now
            guard now >= nextTime, summary.doneCount < count else { continue }
            nextTime = now + Self.interval
            line.show(text(elapsed: now - start))
        }
        line.clear()
    }

    private func receive(_ event: BatchEvent) {
        switch event {
        case .queued(let items): count = items.count
        case .started(let item): fractions[item.index] = 0
        case .progress(let item, let rows): fractions[item.index] = rows.fraction
        case .finished(let item, let result), .failed(let item, let result), .cancelled(let item, let result):
            fractions[item.index] = nil
            summary.add(result)
        case .ended: break
        }
    }

    private func text(elapsed: Duration) -> String {
        let done = Double(summary.doneCount) + fractions.values.reduce(0, +)
        let fraction = min(1, done / Double(max(1, count)))
        var columns =
            count > 1
            ? [" \(summary.doneCount)/\(count)", "\(HumanReport.bytes(summary.inputBytes)) read"]
            : [" \(Int(fraction * 100)) %"]
        if fraction > 0 {
            columns.append("\(HumanReport.milliseconds(elapsed / fraction - elapsed)) left")
        }
        let text = columns.joined(separator: "  ")
        let width = max(0, min(40, Console.width - text.count - 3))
        let filled = Int(Double(width) * fraction)
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + text
    }
}
