import Texel

/// Tells what became of each file: lines or JSON on one stream, progress and faults on standard error.
final class Reporter {
    private let isJSON: Bool
    private let explains: Bool
    private let isVerbose: Bool
    private let stream: Console.Stream
    private let progress: ProgressReport

    /// - Parameter isOnStandardError: whether standard output holds a picture.
    init(_ options: RunningOptions, isOnStandardError: Bool) {
        isJSON = options.json
        explains = options.explain
        isVerbose = options.verbose
        stream = isOnStandardError ? .error : .output
        progress = ProgressReport(options.progress)
    }

    func report(_ result: FileResult, _ tally: Tally) {
        progress.clear()
        if isJSON {
            Console.write(JSONReport(result).line + "\n", to: stream)
        } else if let error = result.error {
            Console.write("texel: \(result.input): \(error)\n", to: .error)
        } else {
            Console.write(HumanReport.line(result) + "\n", to: stream)
        }
        if isVerbose || !isJSON {
            for warning in result.warnings {
                Console.write("texel: \(result.input): warning: \(warning)\n", to: .error)
            }
        }
        if explains, let plan = result.plan {
            let text = "\(plan)".split(separator: "\n").map { "  \($0)\n" }.joined()
            Console.write(text, to: isJSON ? .error : stream)
        }
        progress.show(tally, last: result)
    }

    func finish(_ tally: Tally) {
        progress.clear()
        guard !isJSON, tally.expected > 1 else { return }
        Console.write(HumanReport.sum(tally) + "\n", to: stream)
    }
}
