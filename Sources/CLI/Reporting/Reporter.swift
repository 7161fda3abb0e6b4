import SystemPackage
import Texel

/// Reports a batch: results as lines or JSON on one stream, and progress as a bar or JSON on standard error. Both
/// listen to the batch's events.
@Reporting final class Reporter {
    private let isJSON: Bool
    private let explains: Bool
    private let isVerbose: Bool
    private let isQuiet: Bool
    private let isDryRun: Bool
    private let progress: ProgressMode
    private let stream: Console.Stream
    private let statusLine = StatusLine()
    private var lastError = ""
    /// The file names that several inputs have; their lines show the whole path.
    private let sharedNames: Set<FilePath.Component>

    /// - Parameter isOnStandardError: whether standard output is used for an image.
    init(_ options: RunningOptions, _ inputs: [InputItem], isDryRun: Bool, isOnStandardError: Bool) {
        isJSON = options.json
        explains = options.explain
        isVerbose = options.verbose
        self.isDryRun = isDryRun
        isQuiet = options.quiet
        progress = options.progress ?? (isQuiet ? .none : .auto)
        var names: Set<FilePath.Component> = []
        sharedNames = Set(inputs.compactMap(\.path.lastComponent).filter { !names.insert($0).inserted })
        stream = isOnStandardError ? .error : .output
    }

    /// Runs the batch, and returns when everything has been reported.
    ///
    /// - Parameter count: the number of results.
    /// - Returns: the first error in the order of the inputs; interruptions are not counted as errors.
    func follow(_ batch: Batch, count: Int) async -> TexelError? {
        // The newest events are enough to draw the current progress.
        let listener = progress.isShown ? batch.events.listen(bufferingNewest: 256) : nil
        let shown = Task { await show(listener) }
        var summary = batch.emptySummary
        var firstError: TexelError?
        let start = ContinuousClock.now
        for await result in batch.results() where !result.isCancelled {
            summary.add(result)
            firstError = firstError ?? result.error
            report(result)
        }
        let storeErrors = batch.summary?.storeErrors.filter { $0 != .stopped(.cancelled) } ?? []
        for error in storeErrors {
            let name = error.place.input.map { "\(Console.printable($0)): " } ?? ""
            statusLine.print("texel: \(name)\(Console.printable(ErrorText.sentence(error)))\n", to: .error)
        }
        firstError = firstError ?? storeErrors.first
        if progress != .json { shown.cancel() }
        await shown.value
        if !isJSON, !isQuiet, count > 1 || summary.otherFileCount > 0 {
            let elapsed = ContinuousClock.now - start
            let sum = isDryRun ? HumanReport.plannedSum(summary) : HumanReport.sum(summary, elapsed: elapsed)
            Console.write(sum + "\n", to: stream)
        }
        return firstError
    }

    private func show(_ listener: BroadcastListener<BatchEvent>?) async {
        guard let listener else { return }
        if progress == .json {
            await ProgressLines().follow(listener)
        } else {
            await ProgressBar(statusLine).follow(listener)
        }
    }

    private func report(_ result: FileResult) {
        let name = Console.printable(result.name)
        if isJSON {
            statusLine.print(JSONReport(result).line + "\n", to: stream)
        } else if let error = result.error {
            let line = "texel: \(name): \(Console.printable(ErrorText.sentence(error)))\n"
            // An error is printed once for all widths of an image.
            if line != lastError { statusLine.print(line, to: .error) }
            lastError = line
        } else if !isQuiet {
            statusLine.print(HumanReport.line(result, sharedNames) + "\n", to: stream)
        }
        // A failure is one line.
        if isVerbose || !isJSON && result.error == nil {
            for warning in result.warnings {
                statusLine.print("texel: \(name): warning: \(Console.printable(warning))\n", to: .error)
            }
        }
        if explains, let plan = result.plan {
            let search = result.searchSummary.map { "\nsearch: \($0)" } ?? ""
            let text = "\(plan)\(search)".split(separator: "\n").map { "  \($0)\n" }.joined()
            statusLine.print(text, to: isJSON ? .error : stream)
        }
    }
}

extension ProgressMode {
    /// Whether progress can be shown.
    var isShown: Bool {
        switch self {
        case .auto: Console.isTerminal(.error) && Console.canMoveCursor
        case .bar, .json: true
        case .none: false
        }
    }
}
