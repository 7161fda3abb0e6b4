import Texel
import TexelPyramids

/// Reports pyramids: a line for each, and progress and errors on standard error.
@Reporting final class TileReporter {
    private let count: Int
    private let isJSON: Bool
    private let progress: ProgressMode
    private let layout: PyramidLayout
    private let line = StatusLine()
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private var doneCount = 0
    private var writtenCount = 0
    private var tileCount = 0
    private var inputBytes = 0
    private var outputBytes = 0
    /// The first error in the order of the inputs.
    private(set) var firstError: TexelError?

    /// Shorter calls show no progress.
    private static let delay = Duration.milliseconds(500)
    /// The interval between updates.
    private static let interval = Duration.milliseconds(100)

    init(_ items: [InputItem], isJSON: Bool, progress: ProgressMode, layout: PyramidLayout) {
        count = items.count
        self.isJSON = isJSON
        self.progress = progress
        self.layout = layout
    }

    /// Reports an argument or a directory that could not be read.
    func fail(_ result: FileResult) {
        guard let error = result.error else { return }
        firstError = firstError ?? error
        let sentence = ErrorText.sentence(error)
        if isJSON {
            let failure = TileFailure(
                input: result.name, inputBase64: result.input.base64UnlessText, error: sentence)
            line.print(JSONLine.text(of: failure) + "\n", to: .output)
        } else {
            complain("\(result.name): \(sentence)")
        }
    }

    /// Shows the progress of the image that is being tiled.
    func show(_ item: InputItem, tilesDone: Int, tileCount: Int) {
        if progress == .json {
            let report = TileProgress(
                input: item.name, done: doneCount, total: count, tilesDone: tilesDone, tileCount: tileCount)
            return Console.write(JSONLine.text(of: report) + "\n", to: .error)
        }
        let now = ContinuousClock.now
        guard progress.isShown, now - start >= Self.delay, lastDrawn.map({ now - $0 >= Self.interval }) ?? true else {
            return
        }
        lastDrawn = now
        let text = ProgressText(
            count, done: doneCount, inputBytes: inputBytes, fractions: [Double(tilesDone) / Double(tileCount)],
            elapsed: now - start)
        line.show(text.line(width: Console.width - 1, slowest: nil, isColored: Console.wantsColor))
    }

    /// Reports an image that was tiled, or could not be.
    func report(_ result: PyramidResult) {
        if result.isCancelled { return }
        doneCount += 1
        inputBytes += result.inputBytes
        if let error = result.error {
            firstError = firstError ?? error
        } else {
            writtenCount += 1
            tileCount += result.tileCount
            outputBytes += result.outputBytes
        }
        let report = TileReport(result, layout)
        if isJSON { return line.print(JSONLine.text(of: report) + "\n", to: .output) }
        if let error = result.error { return complain("\(result.name): \(ErrorText.sentence(error))") }
        line.print(report.text + "\n", to: .output)
        for warning in result.warnings { complain("\(result.name): warning: \(warning)") }
    }

    private func complain(_ text: String) { line.print("texel: \(Console.printable(text))\n", to: .error) }

    /// Prints the totals of several images.
    func end(otherFileCount: Int) {
        line.clear()
        guard !isJSON, count > 1 || otherFileCount > 0 else { return }
        var columns = [
            writtenCount == 1 ? "1 pyramid" : "\(writtenCount) pyramids",
            tileCount == 1 ? "1 tile" : "\(tileCount) tiles", HumanReport.bytes(outputBytes),
            HumanReport.milliseconds(ContinuousClock.now - start),
        ]
        if doneCount > writtenCount { columns.append("\(doneCount - writtenCount) failed") }
        Console.write((columns + HumanReport.otherFiles(otherFileCount)).joined(separator: "  ") + "\n", to: .output)
    }
}
