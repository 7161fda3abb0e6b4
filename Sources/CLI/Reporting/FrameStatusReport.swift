import Texel
import TexelFrames

/// Formats the statistics of a stream for people: a line while it runs, a table at its end.
enum FrameStatusReport {
    /// - Parameter rate: frames delivered per second since the last update.
    static func line(_ statistics: FrameStatistics, rate: Double) -> String {
        var columns = ["\(statistics.framesIn) in", "\(statistics.framesOut) out"]
        if statistics.framesDropped > 0 {
            columns.append("\(statistics.framesDropped) dropped (\(causes(statistics)))")
        }
        columns.append("\(oneDecimal(rate)) fps")
        for stage in [FrameStatistics.Stage.age, .render, .encode] {
            guard let times = statistics.times[stage], times.longest > .zero else { continue }
            let percentiles = [times.p50, times.p95, times.p99].map(milliseconds).joined(separator: "/")
            columns.append("\(stage) \(percentiles) ms")
        }
        return columns.joined(separator: "  ")
    }

    static func table(_ statistics: FrameStatistics) -> String {
        let seconds = statistics.elapsed / .seconds(1)
        let rate = seconds > 0 ? Double(statistics.framesOut) / seconds : 0
        var lines = [
            "\(statistics.framesIn) frames in, \(statistics.framesOut) out, \(oneDecimal(seconds)) s, "
                + "\(oneDecimal(rate)) fps"
        ]
        if statistics.framesDropped > 0 { lines.append("dropped: \(causes(statistics))") }
        if !statistics.faults.isEmpty { lines.append("\(statistics.faults)") }
        lines.append(row("ms", ["p50", "p95", "p99", "longest"]))
        for stage in FrameStatistics.Stage.allCases {
            guard let times = statistics.times[stage] else { continue }
            lines.append(row("\(stage)", [times.p50, times.p95, times.p99, times.longest].map(milliseconds)))
        }
        return lines.joined(separator: "\n")
    }

    /// The causes of dropped frames: `2 queue, 1 damaged`.
    private static func causes(_ statistics: FrameStatistics) -> String {
        FrameStatistics.DropCause.allCases.compactMap { cause in
            guard let count = statistics.dropped[cause], count > 0 else { return nil }
            return "\(count) \(cause)"
        }.joined(separator: ", ")
    }

    private static func row(_ name: String, _ values: [String]) -> String {
        let columns = values.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(0, 8 - name.count)) + columns.joined()
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let hundredths = Int((duration / .microseconds(10)).rounded())
        return hundredths < 1000
            ? "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)" : oneDecimal(Double(hundredths) / 100)
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((min(value, 1e12) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
