import SystemPackage
import Texel
import TexelWatching

struct WatchCommand: Command {
    static let description = CommandDescription(
        name: "watch",
        abstract: "Compress images that are added to a folder or changed in it.",
        examples: [
            "texel watch photos/ -o small/ --width 1920",
            "texel watch scans/ -o web/ --max-bytes 200KB --debounce 2",
            "texel watch inbox/ -o outbox/ --no-initial --json | jq -r .output",
        ],
        discussion: """
            The folder and its subfolders are watched and mirrored. Images without an output, or with an older one, \
            are processed first. A file is processed when it has not changed for a while. Outputs that watch wrote \
            are replaced when their inputs change; other files stay. Those of this watch are renamed and removed \
            with their inputs. Press Ctrl-C to stop. See docs/watch.md.
            """,
        brief: ["output", "debounce", "initial", "keep-deleted", "overwrite", "json"],
        briefNote: "Also takes the image options of compress: --quality, --width, --format … Press Ctrl-C to stop.")

    var folder = ""
    var output = ""
    var debounce: DurationArgument?
    var initial: Bool?
    var keepDeleted = false
    var overwrite = false
    var json = false
    var verbose = false
    var shared = SharedFlagOptions()
    var encoding = EncodingOptions()
    var size = SizeOptions()
    var turning = TurningOptions()
    var changes = ChangeOptions()
    var work = WorkOptions()

    static let options: [Option<Self>] =
        [
            .operand("folder", \.folder, help: "The folder to watch."),
            .text("output", \.output, help: "The folder for the results; created if missing.").short("o").completed(
                with: .folder),
            .argument(
                "debounce", \.debounce, DurationArgument.expectation,
                help: "How long a file must be unchanged: 2, 2s or 500ms."
            ).defaulting(to: "500ms"),
            .flag("initial", \.initial, help: "First process images without an output, or with an older one."),
            .flag("no-initial", \.initial, isInverted: true),
            .flag("keep-deleted", \.keepDeleted, help: "Keep outputs when their inputs are removed."),
            .flag("overwrite", \.overwrite, help: "Replace existing files that watch has not written."),
            .flag("json", \.json, help: "Print one JSON object per event, each on a line."),
            .flag("verbose", \.verbose, help: "Also print non-fatal warnings.").short("v"),
        ]
        + SharedFlagOptions.options(at: \.shared)
        + EncodingOptions.options(at: \.encoding, section: "Writing")
        + SizeOptions.options(at: \.size, section: "Size")
        + TurningOptions.options(at: \.turning, section: "Turning")
        + ChangeOptions.options(at: \.changes)
        + WorkOptions.options(at: \.work, section: "Limits")

    func checkMeaning() throws(OptionError) {
        try shared.check()
        if folder.isEmpty { throw OptionError("Name the folder to watch") }
        if output.isEmpty { throw OptionError("--output is empty; name a folder") }
        if output == "-" || output.contains("{") {
            throw OptionError("--output must be a folder: watch mirrors the watched folder into it")
        }
    }

    func run() async throws {
        var options = RecipeOptions(encoding, size, turning, changes, work)
        let given = options.given
        if let file = try shared.recipeFile() {
            options.complete(with: try file.settings(for: .compress))
        }
        try options.check()
        try UnusedOptions.check(options.size, options.turning, options.changes, given: given)
        try UnusedOptions(options, of: .compress, given: given)
            .check(formats: options.encoding.format?.format.map { [$0] })
        if options.size.hasSeveralWidths {
            throw OptionError("watch writes one result for each image; give one --width")
        }
        let images = try await options.changes.composition.imagesOfCommand(
            options.work.limits, options.work.strictness.level)
        let recipe = RecipeCommand.compress.recipes(options, images)[0]
        var processing = options.work.options
        processing.warnings = images.warnings
        processing.overwrites = overwrite
        try await run(recipe, processing, options.work.pool)
    }

    private func run(_ recipe: Recipe, _ processing: ProcessingOptions, _ pool: WorkerPool) async throws {
        let interruption = Interruption.shared
        var options = FolderWatch.Options()
        options.debounce = debounce?.duration ?? options.debounce
        options.includesExisting = initial ?? true
        options.keepsDeleted = keepDeleted
        let watch = FolderWatch(
            RawArguments.path(folder), output: RawArguments.path(output),
            recipe: recipe, processing: processing, options: options, pool: pool)
        let reporter: WatchReporter
        do throws(Errno) {
            reporter = try WatchReporter(
                folder, output, isJSON: json, isVerbose: verbose, stop: interruption.stop)
        } catch {
            Console.complain("cannot create a pipe: \(error)")
            throw ExitStatus.inputOutputError
        }
        do throws(TexelError) {
            try await watch.run(stop: interruption.stop) { reporter.report($0) }
        } catch {
            reporter.report(error)
            throw ExitStatus(error)
        }
        reporter.reportEnd()
        throw ExitStatus.interrupted
    }
}
