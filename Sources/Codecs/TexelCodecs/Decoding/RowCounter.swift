import Synchronization

/// The progress of the work on one image, in rows.
///
/// Rows that are read and rows that are written both count, unless reading and writing run together: then only rows
/// read count. A row that is slow to encode counts as several.
public struct RowProgress: Sendable, Hashable {
    /// Rows read and written so far; at most ``rowCount``.
    public var rowsDone: Int
    /// The total number of rows to read and write; 0 while it is unknown.
    public var rowCount: Int

    /// Creates a progress value.
    public init(rowsDone: Int, rowCount: Int) {
        self.rowsDone = rowsDone
        self.rowCount = rowCount
    }

    /// The completed part of the work, from 0 to 1.
    public var fraction: Double { rowCount > 0 ? Double(rowsDone) / Double(rowCount) : 0 }
}

/// Counts the rows of one image while they are read and written, and reports progress at intervals.
///
/// Counting costs an atomic addition and, if there is a report, a clock reading for each band of rows.
package final class RowCounter: Sendable {
    private let done = Atomic(0)
    private let expected = Atomic(0)
    /// When the next report is due, in nanoseconds since creation.
    private let dueTime: Atomic<Int>
    private let interval: Int
    private let elapsed: @Sendable () -> Duration
    private let report: (@Sendable (RowProgress) -> Void)?
    /// Serialises reports, so that the reported progress never decreases.
    private let lastReported = Mutex<RowProgress?>(nil)

    /// Creates a counter.
    ///
    /// - Parameters:
    ///   - report: receives progress on the working thread; must not block or call this counter.
    ///   - interval: the minimum time before the first report and between reports; the final report ignores it.
    ///   - elapsed: returns the time since a fixed moment; `nil` measures from now.
    package init(
        _ report: (@Sendable (RowProgress) -> Void)? = nil, every interval: Duration = .milliseconds(50),
        elapsed: (@Sendable () -> Duration)? = nil
    ) {
        let start = ContinuousClock.now
        self.elapsed = elapsed ?? { ContinuousClock.now - start }
        self.interval = Self.nanoseconds(interval)
        self.report = report
        dueTime = Atomic(self.interval)
    }

    /// The rows counted so far.
    package var progress: RowProgress {
        let expected = expected.load(ordering: .relaxed)
        return RowProgress(rowsDone: min(done.load(ordering: .relaxed), expected), rowCount: expected)
    }

    /// Adds `rows` to the total.
    package func expect(_ rows: Int) { expected.add(rows, ordering: .relaxed) }

    /// Adds `rows` to the completed rows, and reports if a report is due.
    package func advance(by rows: Int) {
        done.add(rows, ordering: .relaxed)
        guard report != nil else { return }
        let time = Self.nanoseconds(elapsed())
        let due = dueTime.load(ordering: .relaxed)
        guard time >= due,
            dueTime.compareExchange(expected: due, desired: time + interval, ordering: .relaxed).exchanged
        else { return }
        tell()
    }

    /// Replaces both numbers by those of a counter in another process, and reports them.
    package func show(_ progress: RowProgress) {
        expected.store(progress.rowCount, ordering: .relaxed)
        done.store(progress.rowsDone, ordering: .relaxed)
        tell()
    }

    /// Marks all rows as completed and reports that.
    package func finish() {
        done.store(expected.load(ordering: .relaxed), ordering: .relaxed)
        tell()
    }

    private func tell() {
        lastReported.withLock { last in
            let progress = progress
            guard progress.rowCount > 0, progress != last else { return }
            last = progress
            report?(progress)
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
