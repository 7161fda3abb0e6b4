import SystemPackage
import Texel

/// Tells what a batch does: its results, as lines or JSON on one stream, beside a bar or JSON on standard error. Each of
/// them listens to the batch's events.
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
    /// Of several inputs with the same name; their lines have the whole path.
    private let sharedNames: Set<FilePath.Component>

    /// - Parameter isOnStandardError: whether standard output holds a picture.
    init(_ options: RunningOptions, _ inputs: [InputItem], isDryRun: Bool, isOnStandardError: Bool) {
        isJSON = options.json
        explains = options.explain
        isVerbose = options.verbose
        self.isDryRun = isDryRun
        isQuiet = options.quiet
        progress = isQuiet && options.progress == .auto ? .none : options.progress
        var names: Set<FilePath.Component> = []
        sharedNames = Set(inputs.compactMap(\.path.lastComponent).filter { !names.insert($0).inserted })
        stream = isOnStandardError ? .error : .output
    }

    /// Does the work and tells of it until all is said.
    ///
    /// - Parameter count: the batch's inputs.
    /// - Returns: the first error, in the order of the inputs; an interruption is none of theirs.
    func follow(_ batch: Batch, count: Int) async -> PipelineError? {
        // The newest say how far everything is; older ones would only be drawn over.
        let listener = progress.isShown ? batch.events.listen(bufferingNewest: 256) : nil
        let shown = Task { await show(listener) }
        var summary = batch.emptySummary
        var firstError: PipelineError?
        let start = ContinuousClock.now
        for await result in batch.results() where !result.isCancelled {
            summary.add(result)
            firstError = firstError ?? result.error
            report(result)
        }
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
            // Once for all widths of a picture.
            if line != lastError { statusLine.print(line, to: .error) }
            lastError = line
        } else if !isQuiet {
            statusLine.print(HumanReport.line(result, sharedNames) + "\n", to: stream)
        }
        if isVerbose || !isJSON {
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
    /// Whether there is anything to show it on.
    fileprivate var isShown: Bool {
        switch self {
        case .auto: Console.isTerminal(.error) && Console.canMoveCursor
        case .bar, .json: true
        case .none: false
        }
    }
}
