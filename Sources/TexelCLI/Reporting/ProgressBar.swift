import Texel

/// How far a batch is, as a line that redraws itself on a terminal: files, bytes, how fast, how long still, and the file
/// that takes longest.
@Reporting final class ProgressBar {
    private let line: StatusLine
    private var count = 0
    private var summary = BatchSummary()
    private var active: [Int: Active] = [:]
    private let start: ContinuousClock.Instant
    private var nextTime: ContinuousClock.Instant

    /// An item that is being worked on.
    private struct Active {
        let name: String
        let start: ContinuousClock.Instant
        var fraction = 0.0
    }

    /// A run shorter than this needs no bar.
    private static let delay = Duration.milliseconds(500)
    /// No eye sees more.
    private static let interval = Duration.milliseconds(50)

    init(_ line: StatusLine) {
        self.line = line
        start = .now
        nextTime = start + Self.delay
    }

    func follow(_ listener: BroadcastListener<BatchEvent>) async {
        for await event in listener {
            let now = ContinuousClock.now
            receive(event, now)
            guard now >= nextTime, summary.doneCount < count else { continue }
            nextTime = now + Self.interval
            let text = ProgressText(count, summary, fractions: active.values.map(\.fraction), elapsed: now - start)
            let slowest = active.values.min { $0.start < $1.start }
            let file = slowest.map { ProgressText.File(name: $0.name, elapsed: now - $0.start) }
            line.show(text.line(width: Console.width - 1, slowest: file, isColored: Console.wantsColor))
        }
        line.clear()
    }

    private func receive(_ event: BatchEvent, _ now: ContinuousClock.Instant) {
        switch event {
        case .queued(let items): count = items.count
        case .started(let item): active[item.index] = Active(name: item.name, start: now)
        case .progress(let item, let rows): active[item.index]?.fraction = rows.fraction
        case .finished(let item, let result), .failed(let item, let result), .cancelled(let item, let result):
            active[item.index] = nil
            summary.add(result)
        case .ended: break
        }
    }
}
