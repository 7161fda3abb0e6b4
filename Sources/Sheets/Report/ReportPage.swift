import TexelBatch
import TexelPipeline
import TexelPixels

/// The page of a report: a summary, a chart, a table, and a card with images for each file.
struct ReportPage: Sendable {
    struct Entry: Sendable {
        /// The index of the input, then of the entry on the page.
        var index: Int
        var result: FileResult
        /// The SSIMULACRA2 score, if a search has measured it.
        var knownScore: Double?
        var evidence: ComparisonImages?
        /// The URL of the input; `nil` if it is not a file.
        var inputLink: String?
        /// The URL of the output; `nil` if there is none.
        var outputLink: String?
        /// Why there are no images.
        var note: String?

        var score: Double? { evidence?.score ?? knownScore }
        var isDone: Bool { result.status == .written || result.status == .kept }
    }

    let title: String
    var entries: [Entry] = []
    var duration = Duration.zero

    init(title: String) { self.title = title }

    /// The folder common to all files, which is omitted from their names; empty, or with a slash at its end.
    private var sharedFolder: String {
        guard let first = entries.first else { return "" }
        var folder = first.result.name[...]
        for entry in entries {
            while !folder.isEmpty, folder.last != "/" || !entry.result.name.hasPrefix(folder) { folder.removeLast() }
        }
        return String(folder)
    }

    func bytes() -> [UInt8] {
        let folder = sharedFolder
        let chart = ReportChart(entries)
        var content = [
            """
            <header>
            <h1>\(HTMLText.visible(title))</h1>
            <span>\(sum)</span>
            <span class="faint">\(HTMLText.visible(folder))</span>
            \(PageTemplate.filterBox)
            </header>
            <main>
            \(chart.text)
            <div class="scroll"><table id="table">
            <thead><tr>

            """
        ]
        content += Column.allCases.map(\.heading)
        content.append("</tr></thead>\n<tbody>\n")
        content += entries.map { row($0, folder) }
        content.append("</tbody></table></div>\n<div id=\"cards\">\n")
        content += entries.map { card($0, folder) }
        // Large data goes to the end of the page, so that summary and table are displayed first.
        content.append("</div>\n</main>\n<div hidden>\n")
        content += entries.compactMap { entry in entry.evidence.map { Self.images($0, entry.index) } }
        content.append("</div>\n")
        return PageTemplate.page(
            title: title, style: PageResource.reportStyle, script: PageResource.reportScript, content: content)
    }

    /// The summary line.
    private var sum: String {
        var summary = BatchSummary()
        for entry in entries { summary.add(entry.result) }
        var parts = [entries.count == 1 ? "1 image" : "\(entries.count) images"]
        if summary.writtenCount > 0 {
            let (before, after) = (summary.inputBytes, summary.outputBytes)
            parts.append(
                "\(ByteCountText.text(before)) → <b>\(ByteCountText.text(after))</b> \(Self.change(before, after))")
        }
        parts.append(Self.milliseconds(duration))
        if summary.skippedCount > 0 { parts.append("\(summary.skippedCount) skipped") }
        if summary.failedCount > 0 { parts.append("<b class=\"bad\">\(summary.failedCount) failed</b>") }
        if summary.cancelledCount > 0 { parts.append("<b class=\"bad\">\(summary.cancelledCount) cancelled</b>") }
        return parts.joined(separator: " · ")
    }

    // MARK: The table

    private enum Column: String, CaseIterable {
        case image = "Image"
        case before = "Before"
        case after = "After"
        case saved = "Change"
        case score = "Score"
        case size = "Pixels"
        case route = "Route"
        case time = "Time"
        case status = "Status"

        private var isText: Bool { self == .image || self == .route || self == .status }

        var heading: String {
            """
            <th class="\(isText ? "" : "number")" aria-sort="none" scope="col"><button>\(rawValue)</button></th>

            """
        }
    }

    private func row(_ entry: Entry, _ folder: String) -> String {
        let result = entry.result
        let name = HTMLText.visible(String(result.name.dropFirst(folder.count)))
        let cells = Column.allCases.map { column in
            switch column {
            case .image: "<td data-value=\"\(name)\"><a href=\"#picture-\(entry.index)\">\(name)</a></td>"
            case .before: Self.number(result.inputBytes, ByteCountText.text(result.inputBytes), result.inputBytes > 0)
            case .after: Self.number(result.outputBytes, ByteCountText.text(result.outputBytes), entry.isDone)
            case .saved:
                Self.number(
                    result.inputBytes > 0 ? Double(result.outputBytes) / Double(result.inputBytes) : 0,
                    Self.change(result.inputBytes, result.outputBytes), entry.isDone)
            case .score: Self.number(entry.score ?? 0, entry.score.map(Self.oneDecimal) ?? "", entry.score != nil)
            case .size:
                Self.number(result.size?.pixelCount ?? 0, result.size.map { "\($0)" } ?? "", result.size != nil)
            case .route: "<td data-value=\"\(result.route?.rawValue ?? "")\">\(result.route?.rawValue ?? "–")</td>"
            case .time:
                Self.number(result.duration / .milliseconds(1), Self.milliseconds(result.duration), entry.isDone)
            case .status:
                """
                <td data-value="\(status(entry))" class="\(result.error == nil ? "" : "bad")">\(status(entry))</td>
                """
            }
        }
        return "<tr data-name=\"\(name)\" data-picture=\"\(entry.index)\">\(cells.joined())</tr>\n"
    }

    private func status(_ entry: Entry) -> String {
        entry.result.isCancelled ? "cancelled" : entry.result.status.rawValue
    }

    private static func number(_ value: some Numeric, _ text: String, _ isKnown: Bool) -> String {
        isKnown ? "<td class=\"number\" data-value=\"\(value)\">\(text)</td>" : "<td class=\"number\">–</td>"
    }

    // MARK: The cards

    private func card(_ entry: Entry, _ folder: String) -> String {
        let result = entry.result
        let name = HTMLText.visible(String(result.name.dropFirst(folder.count)))
        var facts: [String] = []
        if entry.isDone {
            facts.append("\(ByteCountText.text(result.inputBytes)) → \(ByteCountText.text(result.outputBytes))")
            facts.append(Self.change(result.inputBytes, result.outputBytes))
            if let score = entry.score { facts.append("SSIMULACRA2 \(Self.oneDecimal(score))") }
            if let size = result.size { facts.append("\(size)") }
            if let route = result.route { facts.append(route.rawValue) }
            facts.append(Self.milliseconds(result.duration))
        }
        if result.status == .kept { facts.append("kept: encoding again would not save enough") }
        if result.status == .skipped { facts.append("skipped: the output exists") }
        if let link = entry.inputLink { facts.append(Self.link(link, "original")) }
        if let link = entry.outputLink { facts.append(Self.link(link, "result")) }
        var notes = ""
        if let error = result.error { notes += "<p class=\"bad\">\(HTMLText.visible("\(error)"))</p>\n" }
        if let note = entry.note { notes += "<p class=\"faint\">\(HTMLText.visible(note))</p>\n" }
        for warning in result.warnings { notes += "<p class=\"faint\">\(HTMLText.visible(warning))</p>\n" }
        return """
            <article id="picture-\(entry.index)" tabindex="-1" data-name="\(name)">
            <h2>\(name)</h2>
            <p class="faint">\(facts.joined(separator: " · "))</p>
            \(notes)\(entry.evidence.map(Self.figure) ?? "")</article>

            """
    }

    /// An empty element with the sizes; the script turns it into a slider.
    private static func figure(_ evidence: ComparisonImages) -> String {
        func text(_ size: PixelSize) -> String { "\(size.width) \(size.height)" }
        var attributes = "data-size=\"\(text(evidence.size))\" data-whole-size=\"\(text(evidence.whole.size))\""
        if let detail = evidence.detail, let place = evidence.place {
            attributes += " data-detail-size=\"\(text(detail.size))\""
            attributes += " data-place=\"\(place.x) \(place.y) \(text(place.size))\""
        }
        return "<div class=\"pair\" \(attributes)></div>\n"
    }

    /// The data URLs of the images, before and after, whole and in detail. Plain text is not decoded until the script
    /// needs it.
    private static func images(_ evidence: ComparisonImages, _ index: Int) -> String {
        let pairs = [evidence.whole, evidence.detail].compactMap { $0 }
        return "<p id=\"data-\(index)\">\(pairs.map { "\($0.before) \($0.after)" }.joined(separator: " "))</p>\n"
    }

    private static func link(_ address: String, _ text: String) -> String {
        "<a href=\"\(HTMLText.escaped(address))\">\(text)</a>"
    }

    // MARK: Numbers

    static func change(_ before: Int, _ after: Int) -> String {
        guard before > 0 else { return "" }
        let percent = (Double(after - before) / Double(before) * 100).rounded()
        let sign = percent < 0 ? "−" : percent > 0 ? "+" : "±"
        return "\(sign)\(Int(abs(percent))) %"
    }

    static func oneDecimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func milliseconds(_ duration: Duration) -> String {
        let value = duration / .milliseconds(1)
        if value < 99.95 { return "\(oneDecimal(value)) ms" }
        return value < 9999.5 ? "\(Int(value.rounded())) ms" : "\(oneDecimal(value / 1000)) s"
    }
}
