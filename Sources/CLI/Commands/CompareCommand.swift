import SystemPackage
import Texel
import TexelCore
import TexelMetrics

struct CompareCommand: Command {
    static let description = CommandDescription(
        name: "compare",
        abstract: "Measure how similar an image is to its original.",
        examples: [
            "texel compare photo.png photo.jpg",
            "texel compare photo.png photo.jpg --json",
            "texel compare photo.png photo.jpg --heatmap differences.png",
            "texel compare photo.png photo.jpg --show",
        ],
        discussion: """
            PSNR in decibels of red, green and blue; SSIM of luma and HaarPSI, up to 1; SSIMULACRA2: 90 is \
            indistinguishable from the original, 70 is high quality, 50 medium, 30 low; Butteraugli's 3-norm and \
            maximum: 0 for equal images, and a maximum below 1 is hardly seen. Both images are turned upright and \
            compared as sRGB; transparent ones over a dark and a light background (the worse result counts). An \
            opaque copy of a transparent image is compared over white, over black and without alpha (the best result \
            counts). The heatmap is black for equal pixels, then violet, red, orange and yellow. In JSON, psnr is \
            null if the images are equal.
            """,
        brief: ["json", "heatmap", "show"],
        briefNote: """
            SSIMULACRA2: 90 is indistinguishable from the original, 70 is high quality, 50 medium, 30 low. \
            Butteraugli: 0 is equal; a maximum below 1 is hardly seen.
            """)

    var original = ""
    var candidate = ""
    var page: Int?
    var json = false
    var heatmap: String?
    var heatmapMetric: DifferenceMetric?
    var overwrite = false
    var show = false
    var terminal = TerminalOptions()
    var strictness = StrictnessOptions()
    var limits = LimitOptions()

    static let options: [Option<Self>] =
        [
            .operand("original", \.original, help: "The original: a file, a URL, or - for standard input."),
            .operand("candidate", \.candidate, help: "The image that was made from it."),
            .integer(
                "page", \.page, .from(1), help: "Page of the original, and of a candidate with several pages, from 1."),
            .flag("json", \.json, help: "Print a JSON object."),
            .text("heatmap", \.heatmap, help: "Write the differences as an image, such as differences.png.").completed(
                with: .file),
            .argument("heatmap-metric", \.heatmapMetric, help: "Whose errors the heatmap shows.").defaulting(
                to: "ssimulacra2"),
            .flag("overwrite", \.overwrite, help: "Replace an existing heatmap."),
            .flag("show", \.show, help: "Show both images and their differences side by side in the terminal."),
        ]
        + TerminalOptions.options(at: \.terminal, section: "Terminal")
        + StrictnessOptions.options(at: \.strictness, section: "Limits")
        + LimitOptions.options(at: \.limits, section: "Limits")

    func checkMeaning() throws(OptionError) {
        if show, json { throw OptionError("--show and --json exclude each other: both write to standard output") }
        if let heatmap {
            try ComparisonRun.check(heatmap: heatmap)
        }
        try checkUnused()
        if original == "-", candidate == "-" {
            throw OptionError("Only one of the two images can be read from standard input")
        }
    }

    /// Refuses flags about differences that are not drawn.
    private func checkUnused() throws(OptionError) {
        if heatmap == nil, overwrite { throw OptionError("--overwrite has no effect without --heatmap") }
        if heatmap == nil, !show, heatmapMetric != nil {
            throw OptionError("--heatmap-metric has no effect without --heatmap or --show")
        }
        if !show, let option = TerminalOptions.options.first(where: { $0.isSet(terminal) }) {
            throw OptionError("\(option: option.name) has no effect without --show")
        }
    }

    func run() async throws {
        let others = try Addresses.items([original, candidate], timeout: limits.timeLimit)
        let interruption = Interruption.shared
        let pool = limits.pool
        let comparison = ComparisonRun(
            original: item(original, others), candidate: item(candidate, others), heatmap: heatmap.map { FilePath($0) },
            metric: heatmapMetric ?? .ssimulacra2, overwrites: overwrite, page: page,
            policy: DecodePolicy(limits: limits.limits, strictness: strictness.level),
            timeout: limits.timeLimit, pipeline: ImagePipeline(workers: pool), pool: pool)
        do {
            let comparing = Task { try await comparison.run(drawing: show, stop: interruption.stop) }
            interruption.stop.whenCancelled { comparing.cancel() }
            let outcome = try await comparing.value
            if show, let images = outcome.images { try await draw(images, stop: interruption.stop) }
            if interruption.hasHappened { throw ExitStatus.interrupted }
            if !json {
                for warning in outcome.warnings { Console.complain("\(warning.name): warning: \(warning.text)") }
            }
            let report = ComparisonReport(
                original, candidate, outcome.comparison, warnings: outcome.warnings.map(\.sentence))
            Console.write((json ? JSONLine.text(of: report) : report.text) + "\n", to: .output)
        } catch let error as NamedError {
            if interruption.hasHappened { throw ExitStatus.interrupted }
            if json {
                let object = [
                    "original": original, "candidate": candidate,
                    "error": error.sentence,
                ]
                Console.write(JSONLine.text(of: object) + "\n", to: .output)
            } else {
                Console.complain(error.sentence)
            }
            throw ExitStatus(error.error)
        }
    }

    private func draw(_ images: ComparisonRun.Images, stop: StopToken) async throws {
        // One line each for the numbers, the captions and the prompt.
        let terminal = try await TerminalShow(terminal, lines: 3, stop: stop)
        do throws(TexelError) {
            try await terminal.draw(
                [(original, images.original), (candidate, images.candidate), ("difference", images.differences)])
        } catch {
            throw NamedError(name: candidate, error: error)
        }
    }

    private func item(_ argument: String, _ others: [String: InputItem]) -> InputItem {
        others[argument] ?? (argument == "-" ? .standardInput : InputItem(RawArguments.path(argument)))
    }
}

extension DifferenceMetric: NamedArgument {}
