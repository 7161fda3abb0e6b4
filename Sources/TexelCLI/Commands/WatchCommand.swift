import ArgumentParser
import SystemPackage
import Texel

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        texelCommand: "watch",
        abstract: "Compress images that are added to a folder or changed in it.",
        discussion: """
            texel watch photos/ -o small/ --width 1920
            texel watch scans/ -o web/ --max-bytes 200KB --debounce 2
            texel watch inbox/ -o outbox/ --no-initial --json | jq -r .output

            The folder and its subfolders are watched and mirrored. Images without an output, or with an older one, \
            are processed first. A file is processed when it has not changed for a while. Outputs that watch wrote are \
            replaced when their inputs change; other files stay. Those of this watch are renamed and removed with \
            their inputs. Press Ctrl-C to stop. See docs/watch.md.
            """)

    @Argument(help: "The folder to watch.", completion: .directory)
    var folder: String

    @Option(name: [.short, .long], help: "The folder for the results; created if missing.", completion: .directory)
    var output: String

    @Option(help: "How long a file must be unchanged: 2, 2s or 500ms (default: 500ms).")
    var debounce: DurationArgument?

    @Flag(inversion: .prefixedNo, help: "First process images without an output, or with an older one.")
    var initial = true

    @Flag(help: "Keep outputs when their inputs are removed.")
    var keepDeleted = false

    @Flag(help: "Replace existing files that watch has not written.")
    var overwrite = false

    @Flag(help: "Print one JSON object per event, each on a line.")
    var json = false

    @Flag(name: [.short, .long], help: "Print warnings that were tolerated.")
    var verbose = false

    @OptionGroup var shared: SharedFlagOptions
    @OptionGroup(title: "Writing") var encoding: EncodingOptions
    @OptionGroup(title: "Size") var size: SizeOptions
    @OptionGroup(title: "Turning") var turning: TurningOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup(title: "Limits") var work: WorkOptions

    func validate() throws {
        if folder.isEmpty { throw ValidationError("Name the folder to watch.") }
        if output.isEmpty { throw ValidationError("--output is empty; name a folder.") }
        if output == "-" || output.contains("{") {
            throw ValidationError("--output must be a folder: watch mirrors the watched folder into it.")
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
            throw ValidationError("watch writes one result for each image; give one --width.")
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
        options.includesExisting = initial
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
            throw ExitStatus.inputOutputError.exitCode
        }
        do throws(WatchError) {
            try await watch.run(stop: interruption.stop) { reporter.report($0) }
        } catch {
            reporter.report(error)
            throw ExitStatus(error).exitCode
        }
        reporter.reportEnd()
        throw ExitStatus.interrupted.exitCode
    }
}
