import SystemPackage
import TexelCodecs
import TexelCore
import TexelOperations
package import TexelPipeline
import TexelPixels

/// Reads one file, carries out recipes and writes the results.
package struct FileJob: Sendable {
    let item: InputItem
    /// The name of the results; several results have their widths in their names.
    let name: OutputName
    /// One for each result; several results share one decode.
    let recipes: [Recipe]
    let call: Call

    init(item: InputItem, name: OutputName, recipes: [Recipe], call: Call) {
        self.item = item
        self.name = name
        // What a result that replaces its input does not hold is lost for good.
        self.recipes =
            !call.store.replacesInputs
            ? recipes
            : recipes.map { recipe in
                var recipe = recipe
                recipe.keepsAllParts = true
                return recipe
            }
        self.call = call
    }

    /// The context that all jobs of one call share.
    struct Call: Sendable {
        let options: ProcessingOptions
        let store: any OutputStore
        let reservations: OutputReservations
        var journal: Journal?

        func request(of item: InputItem) -> OutputRequest {
            OutputRequest(item: item, options: options, inputs: reservations.inputs) { [journal] in
                journal?.manifest.owns($0, by: item.path) ?? false
            }
        }
    }

    /// Where finished results are recorded.
    package struct Journal: Sendable {
        package let manifest: BatchManifest
        package let settings: UInt64

        /// - Parameter settings: of ``settings(of:_:)``.
        package init(manifest: BatchManifest, settings: UInt64) {
            (self.manifest, self.settings) = (manifest, settings)
        }

        /// A hash of everything that determines the results and their names.
        package static func settings(of recipes: [Recipe], _ store: any OutputStore) -> UInt64 {
            let settings = Settings(recipes: recipes, template: store.namesKey)
            return UInt64(truncatingIfNeeded: ContentDigest(ofIdentityOf: settings).bytes.littleEndian(8, at: 0))
        }

        private struct Settings: Encodable {
            var resultsVersion = CacheKey.resultsVersion
            let recipes: [Recipe]
            let template: String?
        }

        /// Records an output that is about to appear.
        func begin(_ item: InputItem, _ output: FilePath) { manifest.begin(item.path, output: output) }

        /// Records that an output is done.
        ///
        /// - Parameter stamp: the input's stamp before it was read; `nil` if it is not a file, and is not recorded.
        func finish(_ item: InputItem, _ stamp: FileStamp?, _ number: Int, _ output: FilePath) {
            guard let stamp else { return }
            manifest.finish(item.path, stamp, number: number, settings: settings, output: output)
        }

        /// Takes back that an output was about to appear.
        func withdraw(_ item: InputItem, _ number: Int, _ output: FilePath) {
            manifest.withdraw(item.path, number: number, settings: settings, output: output)
        }
    }

    /// Carries out recipes; errors are returned as results.
    ///
    /// - Parameters:
    ///   - numbers: the indices of the recipes to carry out.
    ///   - rowCounters: one for each recipe.
    /// - Returns: a result for each number.
    func run(
        in pipeline: ImagePipeline, stop: StopToken, numbers: [Int], rowCounters: [RowCounter]
    ) async -> [FileResult] {
        let start = ContinuousClock.now
        let token = StopToken(parent: stop, timeout: call.options.timeout)
        var tasks = numbers.map {
            FileTask(number: $0, item: item, name: name, recipe: recipes[$0], call: call)
        }
        do throws(TexelError) {
            try await run(&tasks, in: pipeline, token, rowCounters)
        } catch {
            for index in tasks.indices where !tasks[index].isSettled { tasks[index].fail(error) }
        }
        var results = tasks.map(\.result)
        for index in results.indices { results[index].duration = ContinuousClock.now - start }
        let first = results.firstIndex { $0.status == .written || $0.status == .kept }
        for index in results.indices { results[index].sharesInput = first.map { index > $0 } ?? false }
        return results
    }

    private func run(
        _ tasks: inout [FileTask], in pipeline: ImagePipeline, _ token: StopToken, _ rowCounters: [RowCounter]
    ) async throws(TexelError) {
        if let reason = token.reason { throw .stopped(reason) }
        for index in tasks.indices { tasks[index].prepare() }
        guard tasks.contains(where: { !$0.isSettled }) else { return }

        // Taken before the file is read, so that a change during the work makes a later batch process the file again.
        let stamp = call.journal == nil ? nil : item.filePath.flatMap { FileStamp($0) }
        var request = ImageRequest(item.source(within: call.options.timeout), recipe: tasks[0].promisedRecipe)
        request.policy = call.options.policy
        let urgency = Urgency(request.priority)
        tasks = try await pipeline.withInput(of: request, urgency) {
            [tasks] input async throws(TexelError) -> [FileTask] in
            var tasks = tasks
            try await run(&tasks, request, input, stamp, in: pipeline, urgency, token, rowCounters)
            return tasks
        }
    }

    /// Carries out the tasks for an input that has been loaded.
    private func run(
        _ tasks: inout [FileTask], _ request: ImageRequest, _ input: LoadedInput, _ stamp: FileStamp?,
        in pipeline: ImagePipeline, _ urgency: Urgency, _ token: StopToken, _ rowCounters: [RowCounter]
    ) async throws(TexelError) {
        let runs = try await plan(request, input, pipeline, urgency, token, rowCounters)
        for index in tasks.indices where !tasks[index].isSettled {
            let others = tasks[..<index].compactMap(\.output)
            let run = runs[tasks[index].number]
            tasks[index].plan(run.plan, run.input, others: others)
        }
        let open = tasks.indices.filter { !tasks[$0].isSettled }
        let work = open.map { index in
            var run = runs[tasks[index].number]
            run.output = tasks[index].place
            return (task: tasks[index], run: run)
        }
        var outcomes: [FileTask.Outcome] = []
        do throws(TexelError) {
            outcomes = try await pipeline.makeFiles(work.map(\.run), urgency) { index, image in
                let (task, run) = work[index]
                return Result { () throws(TexelError) in try task.write(image.get(), run.stop, stamp) }
            }
        } catch {
            for (task, _) in work { outcomes.append(await task.outcome(of: error)) }
        }
        for (index, outcome) in zip(open, outcomes) { tasks[index].settle(outcome, input) }
        for task in tasks { task.noteSameness(among: tasks, stamp) }
    }

    private func plan(
        _ request: ImageRequest, _ input: LoadedInput, _ pipeline: ImagePipeline, _ urgency: Urgency,
        _ token: StopToken, _ rowCounters: [RowCounter]
    ) async throws(TexelError) -> [RecipeRun] {
        let promised = recipes.map { recipe in
            var recipe = recipe
            recipe.output.format = recipe.output.format ?? request.recipe.output.format
            return recipe
        }
        // Plan all of them, so that a result does not depend on which others exist already.
        return try await pipeline.planFiles(request, promised, input, urgency, token, rowCounters: rowCounters)
    }
}
