import Texel

/// Shows the progress of a batch as a line that is redrawn on a terminal: files, bytes, speed, time left, and the
/// file that has been running for longest.
@Reporting final class ProgressBar {
    private let line: StatusLine
    private var count = 0
    private var summary = BatchSummary()
    private var active: [Int: Active] = [:]
    private let start = ContinuousClock.now

    /// An item that is being processed.
    private struct Active {
        let name: String
        let start: ContinuousClock.Instant
        private var progress = ProgressEstimate()

        init(name: String, start: ContinuousClock.Instant) { (self.name, self.start) = (name, start) }

        mutating func report(_ fraction: Double, _ now: ContinuousClock.Instant) {
            progress.report(fraction, at: now - start)
        }

        func fraction(_ now: ContinuousClock.Instant) -> Double { progress.fraction(at: now - start) }
    }

    /// Shorter runs show no bar.
    private static let delay = Duration.milliseconds(500)
    /// The interval between updates, long enough that drawing takes no noticeable time.
    private static let interval = Duration.milliseconds(100)

    init(_ line: StatusLine) { self.line = line }

    /// Polls events and redraws the line until the task is cancelled. Being resumed for every event would cost more
    /// than drawing.
    func follow(_ listener: BroadcastListener<BatchEvent>) async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let now = ContinuousClock.now
            while case .element(let event) = listener.poll() { receive(event, now) }
            guard now - start >= Self.delay, summary.doneCount < count else { continue }
            let fractions = active.values.map { $0.fraction(now) }
            let text = ProgressText(count, summary, fractions: fractions, elapsed: now - start)
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
        case .progress(let item, let rows): active[item.index]?.report(rows.fraction, now)
        case .finished(let item, let result), .failed(let item, let result), .cancelled(let item, let result):
            active[item.index] = nil
            summary.add(result)
        case .ended: break
        }
    }
}
