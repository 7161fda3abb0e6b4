import ArgumentParser
import Texel

/// What compress, resize and rotate have in common: a recipe over many files, with reports.
struct BatchRun {
    private let files: FileOptions
    private let running: RunningOptions
    private let recipe: Recipe

    init(_ files: FileOptions, _ running: RunningOptions, _ recipe: Recipe) {
        self.files = files
        self.running = running
        self.recipe = recipe
    }

    func run() async throws {
        let inputs = InputExpansion.expand(
            files.inputs, isRecursive: files.recursive,
            others: try Addresses.items(files.inputs, timeout: running.work.options.timeout))
        let isForSeveralInputs = files.inputs.count > 1 || inputs.isOpenEnded
        let target = try files.target(isForSeveralInputs: isForSeveralInputs)
        let writesPictures = target == .standardOutput || inputs.items.contains(where: \.isStandardInput)
        if target == .standardOutput, inputs.items.count > 1 {
            throw ValidationError("Standard output holds one picture; \(inputs.items.count) were found.")
        }
        let interruption = Interruption()
        var options = running.work.options
        options.overwrites = files.overwrite
        options.skipsExisting = files.skipExisting
        let batch = Batch(
            inputs.items, failures: inputs.failures, to: target, recipe: recipe, options: options,
            pool: running.work.pool,
            stop: interruption.stop)
        let reporter = await Reporter(running, isOnStandardError: writesPictures && !hasFileOutput(target))
        let error = await reporter.follow(batch, count: inputs.items.count + inputs.failures.count)
        if interruption.hasHappened { throw ExitStatus.interrupted.exitCode }
        guard let error else { return }
        throw (isForSeveralInputs ? ExitStatus.someFailed : ExitStatus(error)).exitCode
    }

    /// Whether even a picture from standard input goes into a file.
    private func hasFileOutput(_ target: OutputTarget) -> Bool {
        switch target {
        case .file, .directory, .template: true
        case .besideInput, .inPlace, .standardOutput: false
        }
    }
}
