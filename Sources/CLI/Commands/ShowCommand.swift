import SystemPackage
import Texel

struct ShowCommand: Command {
    static let description = CommandDescription(
        name: "show",
        abstract: "Show images in the terminal.",
        examples: [
            "texel show photo.jpg",
            "texel show photos/ -r --rows 12",
            "texel show logo.png --protocol blocks --columns 40",
        ],
        discussion: """
            Uses the best protocol that the terminal supports: kitty graphics, sixels, or half blocks in 24 bits or \
            256 colours. Pipes and files get half blocks, 80 columns wide.
            """,
        brief: ["recursive", "protocol", "columns", "rows", "background"])

    var inputs: [String] = []
    var recursive = false
    var terminal = TerminalOptions()
    var strictness = StrictnessOptions()
    var limits = LimitOptions()

    static let options: [Option<Self>] =
        [
            .operands(
                "inputs", \.inputs,
                help: "Files, directories (with -r), archives, patterns, URLs, or - for standard input."),
            .flag("recursive", \.recursive, help: "Show all images in directories.").short("r"),
        ]
        + TerminalOptions.options(at: \.terminal, section: "Terminal")
        + StrictnessOptions.options(at: \.strictness, section: "Limits")
        + LimitOptions.options(at: \.limits, section: "Limits")

    func run() async throws {
        let expanded = InputExpansion.expand(
            inputs, isRecursive: recursive, others: try NamedTrees.of(inputs, timeout: limits.timeLimit),
            path: RawArguments.path)
        let isSingle = inputs.count == 1 && !expanded.isOpenEnded
        let interruption = Interruption.shared
        let show = try await TerminalShow(terminal, lines: isSingle ? 1 : 2, stop: interruption.stop)
        let pipeline = ImagePipeline(workers: limits.pool)
        let policy = DecodePolicy(limits: limits.limits, strictness: strictness.level)
        var failures: [TexelError] = []
        for failure in expanded.failures {
            failures.append(failure)
            fail(FileResult(failed: failure).name, failure)
        }
        for item in expanded.items where !interruption.hasHappened && Console.outputError == nil {
            do throws(TexelError) {
                let (image, warnings) = try await show.image(
                    item, policy: policy, timeout: limits.timeLimit, pipeline: pipeline, stop: interruption.stop)
                try await show.draw(image, title: isSingle ? nil : item.name)
                for warning in warnings { Console.complain("\(item.name): warning: \(warning)") }
            } catch {
                if interruption.hasHappened { break }
                failures.append(error)
                fail(item.name, error)
            }
        }
        if interruption.hasHappened { throw ExitStatus.interrupted }
        Console.tell(otherFileCount: expanded.otherFileCount)
        guard let first = failures.first else { return }
        throw ExitStatus(first: first, isSingle: isSingle, of: expanded)
    }

    private func fail(_ input: String, _ error: TexelError) {
        Console.complain("\(input): \(ErrorText.sentence(error))")
    }
}
