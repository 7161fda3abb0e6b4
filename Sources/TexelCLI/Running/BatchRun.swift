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

    static func validate(
        _ files: FileOptions, _ encoding: EncodingOptions, _ size: SizeOptions, _ turning: TurningOptions
    ) throws {
        try files.check(format: encoding.format.format)
        try encoding.check()
        try size.check()
        try turning.check()
    }

    /// The flags in the order that they mean, whatever the order on the command line: crop, resize, flip, turn.
    static func recipe(
        _ encoding: EncodingOptions, _ size: SizeOptions, _ turning: TurningOptions, compresses: Bool
    ) throws -> Recipe {
        var recipe = Recipe()
        encoding.apply(to: &recipe, defaultEffort: compresses ? .balanced : .fast)
        recipe.output.compresses = compresses
        size.apply(to: &recipe)
        turning.apply(to: &recipe, filter: size.filter)
        return recipe
    }

    func run() async throws {
        let inputs = InputExpansion.expand(
            files.inputs, isRecursive: files.recursive,
            others: try Addresses.items(files.inputs, timeout: running.options.timeout))
        let isForSeveralInputs = files.inputs.count > 1 || inputs.isOpenEnded
        let target = try target(isForSeveralInputs: isForSeveralInputs)
        let writesPictures = target == .standardOutput || inputs.items.contains(where: \.isStandardInput)
        if target == .standardOutput, inputs.items.count > 1 {
            throw ValidationError("Standard output holds one picture; \(inputs.items.count) were found.")
        }
        let interruption = Interruption()
        var options = running.options
        options.overwrites = files.overwrite
        options.skipsExisting = files.skipExisting
        let batch = Batch(
            inputs.items, failures: inputs.failures, to: target, recipe: recipe, options: options, pool: running.pool,
            stop: interruption.stop)
        let reporter = await Reporter(running, isOnStandardError: writesPictures && !hasFileOutput(target))
        let error = await reporter.follow(batch, count: inputs.items.count + inputs.failures.count)
        if interruption.hasHappened { throw ExitStatus.interrupted.exitCode }
        guard let error else { return }
        throw (isForSeveralInputs ? ExitStatus.someFailed : ExitStatus(error)).exitCode
    }

    private func target(isForSeveralInputs: Bool) throws -> OutputTarget {
        if files.inPlace { return .inPlace }
        guard let output = files.output else { return .besideInput }
        do {
            let target = try OutputTarget(argument: output, isForSeveralInputs: isForSeveralInputs)
            if case .directory(let path) = target, !path.isDirectory, !output.hasSuffix("/"),
                let name = path.extension, ImageFormat(fileExtension: name) != nil
            {
                throw ValidationError(
                    "--output \(output) names one picture for several inputs; a directory's name ends with a slash.")
            }
            return target
        } catch let error as OutputTemplate.UnknownPlaceholder {
            throw ValidationError(
                "{\(error.name)} in --output is not one of {dir}, {name}, {ext}, {width}, {height}.")
        }
    }

    /// Whether even a picture from standard input goes into a file.
    private func hasFileOutput(_ target: OutputTarget) -> Bool {
        switch target {
        case .file, .directory, .template: true
        case .besideInput, .inPlace, .standardOutput: false
        }
    }
}
