import Texel

/// The lines that people read.
enum HumanReport {
    static func line(_ result: FileResult) -> String {
        let name = result.input.lastComponent?.string ?? result.input.string
        guard result.status != .skipped, let size = result.size else { return "\(name)  skipped: its output exists" }
        var columns = [name, change(result.inputBytes, result.outputBytes), "\(size)", milliseconds(result.duration)]
        if let score = result.score, result.status == .written {
            columns.append("score \((score * 10).rounded() / 10)")
        }
        if result.status == .kept { columns.append("kept: it was smaller already") }
        return columns.joined(separator: "  ")
    }

    static func sum(_ summary: BatchSummary, elapsed: Duration) -> String {
        var columns = ["\(summary.writtenCount) \(summary.writtenCount == 1 ? "file" : "files")"]
        if summary.writtenCount > 0 { columns.append(change(summary.inputBytes, summary.outputBytes)) }
        columns.append(milliseconds(elapsed))
        if summary.skippedCount > 0 { columns.append("\(summary.skippedCount) skipped") }
        if summary.failedCount > 0 { columns.append("\(summary.failedCount) failed") }
        return columns.joined(separator: "  ")
    }

    private static func change(_ before: Int, _ after: Int) -> String {
        let sizes = "\(bytes(before)) → \(bytes(after))"
        guard before > 0 else { return sizes }
        let percent = (Double(after - before) / Double(before) * 100).rounded()
        let sign = percent < 0 ? "−" : percent > 0 ? "+" : "±"
        return "\(sizes)  \(sign)\(Int(abs(percent))) %"
    }

    /// Thousands, as disks count: 812 B, 41.2 KB, 412 KB, 3.6 MB.
    static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["B", "KB", "MB", "GB"] {
            if value < 999.5 || unit == "GB" {
                return unit == "B"
                    ? "\(count) B" : value < 99.95 ? "\(oneDecimal(value)) \(unit)" : "\(Int(value.rounded())) \(unit)"
            }
            value /= 1000
        }
        return "\(count) B"
    }

    static func milliseconds(_ duration: Duration) -> String {
        let value = duration / .milliseconds(1)
        if value < 9.95 { return "\(oneDecimal(value)) ms" }
        return value < 9999.5 ? "\(Int(value.rounded())) ms" : "\(oneDecimal(value / 1000)) s"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
