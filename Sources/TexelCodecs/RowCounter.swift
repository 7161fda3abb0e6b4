import Synchronization

/// How far the work on one picture is. Rows are read, and then they are written; where both go hand in hand, rows read
/// say it all. A row whose encoding takes long counts as several.
public struct RowProgress: Sendable, Hashable {
    /// Rows that are read and rows that are written; never more than ``rowCount``.
    public var rowsDone: Int
    /// All rows to read and to write; 0 as long as that is not known.
    public var rowCount: Int

    public init(rowsDone: Int, rowCount: Int) {
        self.rowsDone = rowsDone
        self.rowCount = rowCount
    }

    /// From 0 to 1.
    public var fraction: Double { rowCount > 0 ? Double(rowsDone) / Double(rowCount) : 0 }
}

/// Counts the rows of one picture while they are read and written, and tells of it now and then.
///
/// Counting costs an atomic addition and a look at the clock for each band of rows.
package final class RowCounter: Sendable {
    private let done = Atomic(0)
    private let expected = Atomic(0)
    /// When the next report is due, in nanoseconds since the beginning.
    private let dueTime: Atomic<Int>
    private let interval: Int
    private let elapsed: @Sendable () -> Duration
    private let report: (@Sendable (RowProgress) -> Void)?
    /// One report at a time, so that they never go back.
    private let lastReported = Mutex<RowProgress?>(nil)

    /// - Parameters:
    ///   - report: called on whichever thread works; must not wait, nor ask this counter.
    ///   - interval: the least time between two reports, and before the first; the last one comes whatever the time.
    ///   - elapsed: the time since some beginning; from now, unless it is said.
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

    package var progress: RowProgress {
        let expected = expected.load(ordering: .relaxed)
        return RowProgress(rowsDone: min(done.load(ordering: .relaxed), expected), rowCount: expected)
    }

    /// Adds to what is to be done.
    package func expect(_ rows: Int) { expected.add(rows, ordering: .relaxed) }

    /// Adds to what is done.
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

    /// Everything is done: tells so.
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
