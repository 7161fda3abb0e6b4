import SystemPackage
import Texel
import TexelCore
import TexelSheets

/// Writes the page of `--report`.
struct ReportRun: Sendable {
    private let path: FilePath
    private let report: BatchReport

    /// - Parameters:
    ///   - name: the path of the page; `nil` if none was requested.
    ///   - recipes: the batch's recipes.
    ///   - options: the batch's options.
    /// - Throws: `OptionError`; `ExitStatus` if the page must not be written.
    init?(
        _ name: String?, of recipes: [Recipe], for inputs: [InputItem], options: ProcessingOptions, pool: WorkerPool,
        stop: StopToken
    ) throws {
        guard let name else { return nil }
        if options.isDryRun { throw OptionError("--report has no effect with --dry-run; leave it out") }
        path = RawArguments.path(name)
        guard ["html", "htm"].contains(path.extension?.lowercased()) else {
            throw OptionError("--report writes HTML, so \(name) must end in .html")
        }
        report = BatchReport(
            to: path, title: path.stem ?? "Report", options: options, pool: pool, stop: stop
        ) { recipes[$0.recipeIndex] }
        do throws(TexelError) { try report.check(inputs: inputs) } catch { throw tell(error) }
    }

    /// Writes the page when the batch has ended.
    ///
    /// - Returns: the exit status if that failed; the error has been printed.
    func follow(_ batch: Batch) async -> ExitStatus? {
        let failure = await report.follow(batch) { count in
            // The page is written even after an interruption.
            Interruption.shared.awaitsCompletion()
            // Explain on a terminal why the program has not ended yet.
            guard count > 0, Console.isTerminal(.error) else { return }
            Console.write("comparing \(count == 1 ? "1 image" : "\(count) images") for \(path) …\n", to: .error)
        }
        return failure.map(tell)
    }

    private func tell(_ error: TexelError) -> ExitStatus {
        Console.complain("\(path): \(ErrorText.sentence(error, replacesInputs: false))")
        return ExitStatus(error)
    }
}
