import Texel
import TexelArchives

/// The run of `compress`, `resize` and `rotate`: recipes applied to many files, with reports.
struct BatchRun {
    private let files: FileOptions
    private let running: RunningOptions
    /// Each recipe makes a result of every input.
    private let recipes: [Recipe]

    private let unused: UnusedOptions
    private let warnings: [String]

    /// - Parameter warnings: what was tolerated in images that the options name.
    init(
        _ files: FileOptions, _ running: RunningOptions, _ unused: UnusedOptions, _ recipes: [Recipe],
        warnings: [String]
    ) {
        self.files = files
        self.warnings = warnings
        self.unused = unused
        self.running = running
        self.recipes = recipes
    }

    func run() async throws {
        let likely = files.likelyStore
        let trees = try NamedTrees.of(files.inputs, timeout: running.work.options.timeout)
        var inputs = InputExpansion.expand(
            files.inputs, isRecursive: files.recursive, others: trees,
            excluding: likely?.ownPaths ?? [], outputDirectoryName: likely?.ownDirectoryName, path: RawArguments.path)
        let isForSeveralInputs = files.inputs.count > 1 || inputs.isOpenEnded
        let store = try files.store(isForSeveralInputs: isForSeveralInputs || recipes.count > 1)
        if store.writesBesideInputs || store.replacesInputs,
            let archive = files.inputs.first(where: { trees[$0] is ArchiveTree })
        {
            throw OptionError("Results of \(archive) need a directory or an archive; name one with \(option: "output")")
        }
        let ownCount =
            store.writesBesideInputs ? inputs.removeOutputsBesideInputs(hasSeveralWidths: recipes.count > 1) : 0
        if ownCount > 0 {
            let outputs = ownCount == 1 ? "1 result" : "\(ownCount) results"
            Console.complain("skipped \(outputs) of an earlier call")
        }
        if store.isStandardOutput, inputs.items.count > 1 {
            throw OptionError(
                "Standard output takes one image, but \(inputs.items.count) were found; use -o with a directory")
        }
        let isStream = store.writesBesideInputs && !inputs.items.isEmpty && inputs.items.allSatisfy(\.isStandardInput)
        if store.isStandardOutput || isStream, !files.dryRun { try StandardOutputArgument.checkTerminal() }
        try unused.check(
            formats: OutputNaming.formats(
                of: inputs.items, in: store, format: recipes.first?.output.format,
                while: unused.dependsOnMore))
        if let archive = store as? ArchiveStore {
            if running.report != nil {
                throw OptionError("\(option: "report") shows files, and the results are in the archive \(archive.path)")
            }
            if files.keepTimes {
                throw OptionError(
                    "\(option: "keep-times") has no effect in an archive, which keeps the times of its inputs")
            }
        }
        let interruption = Interruption.shared
        var options = running.work.options
        options.overwrites = files.overwrite
        options.skipsExisting = files.skipExisting
        options.keepsTimes = files.keepTimes
        options.isDryRun = files.dryRun
        options.warnings = warnings
        if inputs.items.count == 1 { options.refusal = unused.refusal(in: .commandLine) }
        // Once, not for each result.
        if let refusal = (store as? ArchiveStore)?.refusal(for: inputs.items, options) {
            Console.complain(ErrorText.sentence(refusal))
            throw ExitStatus(refusal)
        }
        let pool = running.work.pool
        let report = try ReportRun(
            running.report, of: recipes, for: inputs.items, options: options, pool: pool, stop: interruption.stop)
        let isBatch = isForSeveralInputs || recipes.count > 1
        let manifest = inputs.items.isEmpty ? nil : try manifest(store, isBatch: isBatch)
        let batch = Batch(
            inputs.items, failures: inputs.failures, otherFileCount: inputs.otherFileCount, to: store,
            recipes: recipes, options: options, manifest: manifest, pool: pool, stop: interruption.stop)
        async let reportStatus = report?.follow(batch)
        let reporter = await Reporter(
            running, inputs.items, isDryRun: files.dryRun,
            isOnStandardError: store.isStandardOutput
                || store.writesBesideInputs && inputs.items.contains(where: \.isStandardInput))
        let error = await reporter.follow(batch, count: inputs.items.count * recipes.count + inputs.failures.count)
        let unwritten = await reportStatus
        if files.resume, let error = manifest?.writeError {
            Console.complain("warning: finished results were not recorded: \(error)")
        }
        if interruption.hasHappened { throw ExitStatus.interrupted }
        if let unwritten { throw unwritten }
        guard let error else { return }
        let isSingle = !isForSeveralInputs && recipes.count == 1
        throw ExitStatus(first: error, isSingle: isSingle, of: inputs)
    }

    /// Opens the manifest in which results are recorded.
    ///
    /// Without `--resume`, the batch runs without a manifest if none can be opened.
    private func manifest(_ store: any OutputStore, isBatch: Bool) throws -> BatchManifest? {
        guard let directory = store.directory else {
            if files.resume { throw OptionError("--resume requires -o with a directory") }
            return nil
        }
        guard files.resume || isBatch && !files.dryRun else { return nil }
        do throws(TexelError) {
            let manifest = try BatchManifest(in: directory, isResuming: files.resume, isReadOnly: files.dryRun)
            if files.resume, manifest.ignoredLineCount > 0 {
                let count = manifest.ignoredLineCount
                let lines = count == 1 ? "1 invalid line; its result is" : "\(count) invalid lines; their results are"
                let path = directory.appending(BatchManifest.fileName)
                Console.complain("warning: \(path): ignored \(lines) made again")
            }
            return manifest
        } catch {
            guard files.resume else { return nil }
            Console.complain("\(error)")
            throw ExitStatus(error)
        }
    }
}
