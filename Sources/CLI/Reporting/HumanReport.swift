import SystemPackage
import Texel
import TexelSheets

/// Formats results as lines for people.
enum HumanReport {
    /// - Parameter sharedNames: the file names that several inputs have.
    static func line(_ result: FileResult, _ sharedNames: Set<FilePath.Component> = []) -> String {
        let isShared = result.input.lastComponent.map(sharedNames.contains) ?? true
        let input = isShared ? result.input.string : result.input.lastComponent?.string ?? ""
        // If another input has taken the output's usual name, the name contains the whole name of the input.
        let renamed = result.status == .planned ? nil : result.output.flatMap { isRenamed($0, result.input) ? $0 : nil }
        let name = Console.printable(input + (renamed.map { " → \($0)" } ?? ""))
        if result.status == .planned { return plan(result, name) }
        guard result.status != .skipped, let size = result.size else { return "\(name)  skipped: the output exists" }
        var columns = [name, change(result.inputBytes, result.outputBytes), "\(size)", milliseconds(result.duration)]
        if let score = result.score, result.status == .written {
            columns.append("score \(rounded(score))")
        }
        if result.status == .kept { columns.append("kept: encoding again would not save enough") }
        if let size = result.requestedSize { columns.append("not enlarged to \(size) without --enlarge") }
        return columns.joined(separator: "  ")
    }

    /// Rounds a score of any metric: 71.3, 1.24, 0.9532.
    private static func rounded(_ score: Double) -> Double {
        let unit = abs(score) >= 10 ? 10.0 : abs(score) >= 1 ? 100 : 10_000
        return (score * unit).rounded() / unit
    }

    private static func isRenamed(_ output: FilePath, _ input: FilePath) -> Bool {
        guard let stem = input.stem, let own = input.lastComponent?.string else { return false }
        let name = output.lastComponent?.string ?? ""
        let texel = "\(stem)-texel.\(input.extension ?? "")"
        return [own, texel].contains { prefix in
            name.hasPrefix(prefix) && [".", "-"].contains(name.dropFirst(prefix.count).first)
        }
    }

    private static func plan(_ result: FileResult, _ name: String) -> String {
        let output = result.output.map { Console.printable($0.string) } ?? "standard output"
        let columns = ["\(name) → \(output)", result.size?.description, result.route?.rawValue]
        return columns.compactMap { $0 }.joined(separator: "  ")
    }

    static func sum(_ summary: BatchSummary, elapsed: Duration) -> String {
        var columns = [files(summary.writtenCount)]
        if summary.writtenCount > 0 { columns.append(change(summary.inputBytes, summary.outputBytes)) }
        columns.append(milliseconds(elapsed))
        if summary.resumedCount > 0 { columns.append("\(summary.resumedCount) done earlier") }
        if summary.skippedCount > 0 { columns.append("\(summary.skippedCount) skipped") }
        if summary.failedCount > 0 { columns.append("\(summary.failedCount) failed") }
        return (columns + otherFiles(summary.otherFileCount)).joined(separator: "  ")
    }

    /// The totals of a dry run.
    static func plannedSum(_ summary: BatchSummary) -> String {
        var columns = ["\(files(summary.plannedCount)) would be written"]
        if summary.resumedCount > 0 { columns.append("\(summary.resumedCount) done earlier") }
        if summary.skippedCount > 0 { columns.append("\(summary.skippedCount) skipped") }
        if summary.failedCount > 0 { columns.append("\(summary.failedCount) would fail") }
        return (columns + otherFiles(summary.otherFileCount)).joined(separator: "  ")
    }

    /// The number of files that are not images; empty if there are none.
    static func otherFiles(_ count: Int) -> [String] {
        if count == 0 { return [] }
        return [count == 1 ? "1 file skipped (not an image)" : "\(count) files skipped (not images)"]
    }

    private static func files(_ count: Int) -> String { "\(count) \(count == 1 ? "file" : "files")" }

    private static func change(_ before: Int, _ after: Int) -> String {
        let sizes = "\(bytes(before)) → \(bytes(after))"
        guard before > 0 else { return sizes }
        let percent = (Double(after - before) / Double(before) * 100).rounded()
        let sign = percent < 0 ? "−" : percent > 0 ? "+" : "±"
        return "\(sizes)  \(sign)\(Int(abs(percent))) %"
    }

    /// Formats a number of bytes in powers of 1000: 812 B, 41.2 KB, 412 KB, 3.6 MB.
    static func bytes(_ count: Int) -> String { ByteCountText.text(count) }

    static func milliseconds(_ duration: Duration) -> String {
        let value = duration / .milliseconds(1)
        if value < 9.95 { return "\(oneDecimal(value)) ms" }
        return value < 9999.5 ? "\(Int(value.rounded())) ms" : "\(oneDecimal(value / 1000)) s"
    }

    /// Formats an estimated duration with reasonable precision: 40 s, 3 min, 2 h 5 min.
    static func timeLeft(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        if seconds < 99.5 { return "\(max(1, Int(seconds.rounded()))) s" }
        let minutes = Int((seconds / 60).rounded())
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Console {
    /// Prints on standard error how many files in the searched directories are not images.
    static func tell(otherFileCount: Int) {
        for count in HumanReport.otherFiles(otherFileCount) { complain(count) }
    }
}
