import Texel

struct InfoCommand: Command {
    static let description = CommandDescription(
        name: "info",
        abstract: "Print properties of image files; decodes pixels only with --analyze.",
        examples: [
            "texel info photo.jpg",
            "texel info photos/ -r --json",
            "texel info photo.jpg --analyze",
        ],
        discussion: """
            --analyze measures all pixels of an image, of an animation's first frame; BlurHash, ThumbHash and the \
            two hashes are those of reduced copies.
            """,
        brief: ["recursive", "analyze", "json"])

    var inputs: [String] = []
    var recursive = false
    var page: Int?
    var analyze = false
    var json = false
    var limits = LimitOptions()

    static let options: [Option<Self>] =
        [
            .operands(
                "inputs", \.inputs,
                help: "Files, directories (with -r), archives, patterns, URLs, or - for standard input."),
            .flag("recursive", \.recursive, help: "Process all images in directories.").short("r"),
            .integer(
                "page", \.page, .from(1),
                help: "Page of files with pages to describe, from 1; a file without that page is an error."),
            .flag(
                "analyze", \.analyze,
                help: "Decode and add statistics, dominant colours, BlurHash, ThumbHash and perceptual hashes."),
            .flag("json", \.json, help: "Print one JSON object per file."),
        ]
        + LimitOptions.options(at: \.limits, section: "Limits")

    func checkMeaning() throws(OptionError) {
        if analyze, inputs.contains("-") {
            throw OptionError("--analyze reads an input twice; save standard input to a file first")
        }
    }

    func run() async throws {
        let expanded = InputExpansion.expand(
            inputs, isRecursive: recursive, others: try NamedTrees.of(inputs, timeout: limits.timeLimit),
            keepsLinks: true, path: RawArguments.path)
        let interruption = Interruption.shared
        for failure in expanded.failures {
            let result = FileResult(failed: failure)
            fail(InfoFailure(name: result.name, path: result.input, error: failure))
        }
        let reading = Task { await report(expanded.items) }
        interruption.stop.whenCancelled { reading.cancel() }
        let failures = expanded.failures + (await reading.value)
        if interruption.hasHappened { throw ExitStatus.interrupted }
        if !json { Console.tell(otherFileCount: expanded.otherFileCount) }
        guard let first = failures.first else { return }
        let isSingle = inputs.count == 1 && !expanded.isOpenEnded
        throw ExitStatus(first: first, isSingle: isSingle, of: expanded)
    }

    /// Prints the properties of files, until the task is cancelled.
    ///
    /// - Returns: the errors of unreadable files, which were printed.
    private func report(_ items: [InputItem]) async -> [TexelError] {
        let pipeline = ImagePipeline(workers: limits.pool)
        var failures: [TexelError] = []
        for item in items where Console.outputError == nil {
            do throws(TexelError) {
                let report = try await report(on: item, pipeline)
                Console.write((json ? JSONLine.text(of: report) : report.text) + "\n", to: .output)
            } catch {
                if Task.isCancelled { break }
                failures.append(error)
                fail(InfoFailure(name: item.name, path: item.path, error: error))
            }
        }
        return failures
    }

    private func report(on item: InputItem, _ pipeline: ImagePipeline) async throws(TexelError) -> InfoReport {
        let page = page.map { $0 - 1 }
        guard analyze else {
            let (info, byteCount) = try await ImageInfo.load(
                from: item, limits: limits.limits, page: page, timeout: limits.timeLimit, pipeline: pipeline)
            return InfoReport(item, info, byteCount: byteCount)
        }
        let request = ImageRequest(
            item, page: page, policy: DecodePolicy(limits: limits.limits), timeout: limits.timeLimit)
        let (pixels, info, byteCount) = try await pipeline.imageAndInfo(for: request)
        let analysis = try await AnalysisReport.of(pixels, pipeline: pipeline)
        return InfoReport(item, info, byteCount: byteCount, analysis: analysis)
    }

    private func fail(_ failure: InfoFailure) {
        if json {
            Console.write(JSONLine.text(of: failure) + "\n", to: .output)
        } else {
            Console.complain("\(failure.name): \(ErrorText.sentence(failure.error))")
        }
    }
}
