import Texel

/// Reports a search for duplicates: progress and errors on standard error while images are read, then the groups.
@Reporting final class DuplicateReporter {
    private let count: Int
    private let isJSON: Bool
    private let progress: ProgressMode
    private let line = StatusLine()
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private var doneCount = 0
    private var inputBytes = 0
    /// The error of each input that failed, by its index; -1 for inputs that were not found.
    private var errors: [(index: Int, error: TexelError)] = []

    /// Shorter searches show no progress.
    private static let delay = Duration.milliseconds(500)
    /// The interval between updates.
    private static let interval = Duration.milliseconds(100)

    init(count: Int, isJSON: Bool, progress: ProgressMode) {
        self.count = count
        self.isJSON = isJSON
        self.progress = progress
    }

    /// The first error in the order of the inputs.
    var firstError: TexelError? { errors.min { $0.index < $1.index }?.error }

    /// Reports an argument or a directory that could not be read.
    func fail(_ result: FileResult) {
        guard let error = result.error else { return }
        fail(DuplicateFailure(name: result.name, path: result.input, error: error), at: -1)
    }

    /// Reports an image that was read, or could not be.
    func report(_ item: InputItem, at index: Int, _ result: Result<DuplicateSearch.Image, TexelError>) {
        doneCount += 1
        switch result {
        case .success(let image):
            inputBytes += image.byteCount
            if !isJSON { for warning in image.warnings { complain("\(item.name): warning: \(warning)") } }
        case .failure(let error): fail(DuplicateFailure(name: item.name, path: item.path, error: error), at: index)
        }
        showProgress(item)
    }

    private func fail(_ failure: DuplicateFailure, at index: Int) {
        errors.append((index, failure.error))
        if isJSON {
            line.print(JSONLine.text(of: failure) + "\n", to: .output)
        } else {
            complain("\(failure.name): \(ErrorText.sentence(failure.error))")
        }
    }

    private func complain(_ text: String) { line.print("texel: \(Console.printable(text))\n", to: .error) }

    private func showProgress(_ item: InputItem) {
        if progress == .json {
            let report = DuplicateProgress(input: item.name, done: doneCount, total: count, inputBytes: inputBytes)
            return Console.write(JSONLine.text(of: report) + "\n", to: .error)
        }
        let now = ContinuousClock.now
        guard progress.isShown, now - start >= Self.delay, lastDrawn.map({ now - $0 >= Self.interval }) ?? true else {
            return
        }
        lastDrawn = now
        let text = ProgressText(count, done: doneCount, inputBytes: inputBytes, elapsed: now - start)
        line.show(text.line(width: Console.width - 1, slowest: nil, isColored: Console.wantsColor))
    }

    /// Removes the progress from the terminal.
    func clear() { line.clear() }

    /// Prints the groups.
    func report(_ groups: [[DuplicateSearch.Image]], otherFileCount: Int) {
        clear()
        for (index, group) in groups.enumerated() {
            let report = DuplicateReport(group, number: index + 1)
            Console.write((isJSON ? JSONLine.text(of: report) : report.text) + "\n", to: .output)
        }
        guard !isJSON, count > 0 else { return }
        let sum = DuplicateReport.sum(
            of: groups, imageCount: count, failureCount: errors.count { $0.index >= 0 },
            elapsed: ContinuousClock.now - start)
        Console.write((sum + HumanReport.otherFiles(otherFileCount)).joined(separator: "  ") + "\n", to: .output)
    }
}
