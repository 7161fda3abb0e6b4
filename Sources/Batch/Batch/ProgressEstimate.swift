import TexelPipeline

/// How much of a file's work is done, also between two reports: an encoder may report nothing for seconds.
package struct ProgressEstimate: Sendable {
    private var reported = 0.0
    private var reportTime = Duration.zero
    /// The estimate at the last report, below which no later one goes.
    private var lowest = 0.0

    package init() {}

    /// Notes a report.
    ///
    /// - Parameters:
    ///   - fraction: what is done of all work, 0…1.
    ///   - elapsed: the time since the work began.
    package mutating func report(_ fraction: Double, at elapsed: Duration) {
        lowest = self.fraction(at: elapsed)
        (reported, reportTime) = (fraction, elapsed)
    }

    /// The estimate, which goes on at the average speed so far, but at most over half of what was left at the last
    /// report.
    package func fraction(at elapsed: Duration) -> Double {
        guard reportTime > .zero else { return max(lowest, reported) }
        let expected = reported * (elapsed / reportTime)
        return max(lowest, min(expected, (1 + reported) / 2), reported)
    }
}
