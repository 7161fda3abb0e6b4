import TexelBatch
import TexelPipeline

/// A bar chart of file sizes, largest first, with the size after in front of the size before.
struct ReportChart {
    private struct Bar {
        var before = 0
        var after = 0
        var name = ""
        var index = 0
        var count = 0
    }

    private let bars: [Bar]

    private static let (width, height) = (1000.0, 160.0)
    /// More bars would be too narrow to see; neighbouring files then share one.
    private static let mostBars = 250

    init(_ entries: [ReportPage.Entry]) {
        let done = entries.filter(\.isDone).sorted { first, second in
            (second.result.inputBytes, first.index) < (first.result.inputBytes, second.index)
        }
        let share = max(1, (done.count + Self.mostBars - 1) / Self.mostBars)
        bars = stride(from: 0, to: done.count, by: share).map { start in
            let group = done[start..<min(start + share, done.count)]
            var bar = Bar(name: done[start].result.name, index: done[start].index, count: group.count)
            bar.before = group.reduce(0) { $0 + $1.result.inputBytes }
            bar.after = group.reduce(0) { $0 + $1.result.outputBytes }
            return bar
        }
    }

    /// The chart as HTML; empty if nothing was written.
    var text: String {
        let largest = bars.map { max($0.before, $0.after) }.max() ?? 0
        guard largest > 0 else { return "" }
        let step = min(Self.width / Double(bars.count), 60)
        func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        func rectangle(_ kind: String, _ index: Int, _ bytes: Int) -> String {
            let height = Double(bytes) / Double(largest) * Self.height
            return """
                <rect class="\(kind)" x="\(rounded(Double(index) * step + step * 0.1))" \
                y="\(rounded(Self.height - height))" width="\(rounded(step * 0.8))" height="\(rounded(height))"/>
                """
        }
        let columns = bars.enumerated().map { index, bar in
            let others = bar.count > 1 ? " and \(bar.count - 1) more" : ""
            let title = HTMLText.visible("\(bar.name)\(others)")
            return """
                <a href="#picture-\(bar.index)" tabindex="-1"><title>\(title): \(ByteCountText.text(bar.before)) → \
                \(ByteCountText.text(bar.after)) (\(ReportPage.change(bar.before, bar.after)))</title>\
                \(rectangle("before", index, bar.before))\(rectangle("after", index, bar.after))</a>

                """
        }
        return """
            <figure id="chart">
            <figcaption>File sizes <span class="faint">(largest first, up to \(ByteCountText.text(largest)); \
            <span class="key before"></span> before <span class="key after"></span> after)</span></figcaption>
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" preserveAspectRatio="none" role="img" \
            aria-label="File size of each image before and after; the table has the numbers">
            \(columns.joined())</svg>
            </figure>
            """
    }
}
