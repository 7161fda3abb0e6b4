import Foundation

/// Prints measurements, and records whether a required target was missed.
final class Report {
    private(set) var hasFailed = false

    func line(_ text: String) {
        print(text)
        // Flush, so that a reader of a pipe sees the line at once.
        fflush(nil)
    }

    /// Prints a measurement and its target.
    ///
    /// - Parameter isRequired: Whether missing the target is a failure: for counts and memory, which do not depend on
    ///   the machine's speed.
    func figure(_ what: String, _ measured: String, target: String, isMet: Bool, isRequired: Bool = false) {
        line("\(what): \(measured) (target \(target)) \(isMet ? "met" : "MISSED")")
        if isRequired, !isMet { hasFailed = true }
    }

    /// Prints percentiles of durations.
    func percentiles(_ what: String, _ durations: [Duration]) {
        let sorted = durations.sorted()
        guard !sorted.isEmpty else { return }
        let parts = [50, 90, 99].map { percentile in
            "p\(percentile) " + sorted[(sorted.count - 1) * percentile / 100].text
        }
        line("\(what): \(parts.joined(separator: ", ")), max \(sorted[sorted.count - 1].text), of \(sorted.count)")
    }
}

extension Duration {
    var text: String {
        let milliseconds = self / .milliseconds(1)
        return milliseconds < 1
            ? String(format: "%.1f µs", milliseconds * 1000) : String(format: "%.2f ms", milliseconds)
    }
}

extension Int {
    /// A number of bytes as text.
    var megabytes: String { String(format: "%.1f MB", Double(self) / Double(1 << 20)) }
}

extension Array<Double> {
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
