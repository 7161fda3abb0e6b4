package import TexelCodecs
package import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

// The way of every result, after its input is open: plan → run → deliver. One result is a set of one.

/// A planned recipe for one input.
package struct RecipeRun: Sendable {
    package let input: LoadedInput
    package internal(set) var plan: Plan
    /// Whether several results share decoded pixels.
    let sharesDecode: Bool
    let policy: DecodePolicy
    package let stop: StopToken
    let parallelism: @Sendable () -> Int
    let rowCounter: RowCounter
    /// Where the result will be written; `nil` to keep it in memory.
    package var output: OutputPlace?

    /// What the plan's route is given.
    var context: RouteContext {
        RouteContext(
            input.source, policy: policy, stop: stop, parallelism: parallelism,
            rowCounter: rowCounter, output: output.map { ResultOutput($0) })
    }
}

/// A result that callers request.
protocol PipelineOutput: CacheableOutput, IsolatedOutput {
    static var kind: ResultKind { get }

    /// What a plan for it makes.
    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult
}

extension PixelBuffer: PipelineOutput {
    static var kind: ResultKind { .pixels }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult { .pixels }
}

extension EncodedImage: PipelineOutput {
    static var kind: ResultKind { .file }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult {
        .file(recipe.output.format ?? info.format.formatOfResults)
    }
}

extension ImagePipeline {
    /// Plans recipes for one input so that one decode serves all: at the finest scale that any of them needs.
    ///
    /// Plans with the header of the bytes that have arrived, and if that fails, with the header of the whole file: it
    /// may turn the image, so that a crop fits.
    ///
    /// - Parameters:
    ///   - request: its own recipe is ignored; its timeout begins when the pages of the recipes are there.
    ///   - needsWholeHeader: whether to wait for all bytes that may change the header.
    ///   - rowCounters: one for each recipe.
    func plan<Output: PipelineOutput>(
        _ type: Output.Type, _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput,
        needsWholeHeader: Bool = false, _ urgency: Urgency, _ stop: StopToken, rowCounters: [RowCounter]
    ) async throws(TexelError) -> [RecipeRun] {
        // Recipes that name the same page share it, and so its decode.
        var pages: [Int?: LoadedInput] = [:]
        do throws(TexelError) {
            let needsWholeHeader = needsWholeHeader || recipes.contains { $0.firstOpenTrim != nil }
            for recipe in recipes where pages[recipe.frame] == nil {
                pages[recipe.frame] = try await input.page(
                    recipe.frame, needsWholeHeader: needsWholeHeader, limits: request.policy.limits, urgency, stop)
            }
            let stop = StopToken(parent: stop, timeout: request.timeout)
            let sharesDecode = recipes.count > 1
            var (runs, findings) = ([RecipeRun](), [TrimSearch: TrimOperation.Finding]())
            for (recipe, rowCounter) in zip(recipes, rowCounters) {
                let page = pages[recipe.frame] ?? input
                let found = try await withFoundTrims(type, recipe, request, page, urgency, stop, &findings)
                let plan = try plan(type, found, page, request, sharesDecode: sharesDecode)
                runs.append(run(plan, page, request, stop, rowCounter, sharesDecode: sharesDecode))
            }
            let shrink = runs.map(\.plan.shrink).min() ?? 1
            for index in runs.indices where runs[index].plan.shrink > shrink {
                runs[index].plan = try plan(
                    type, runs[index].plan.recipe, runs[index].input, request, largestShrink: shrink,
                    sharesDecode: sharesDecode)
            }
            return runs
        } catch {
            if needsWholeHeader || input.source.holdsWholeHeader || error.isStop { throw input.cause(of: error) }
        }
        return try await plan(
            type, request, recipes, input, needsWholeHeader: true, urgency, stop, rowCounters: rowCounters)
    }

    /// Makes a run of a plan for a request's input.
    func run(
        _ plan: Plan, _ input: LoadedInput, _ request: ImageRequest, _ stop: StopToken, _ rowCounter: RowCounter,
        sharesDecode: Bool = false
    ) -> RecipeRun {
        RecipeRun(
            input: input, plan: plan, sharesDecode: sharesDecode, policy: request.policy, stop: stop,
            parallelism: { [workers] in workers.threadsPerTask }, rowCounter: rowCounter)
    }

    /// Searches an input for what the trims of a recipe keep, so that the recipe can be planned.
    ///
    /// Each search is a run of its own. The rows of a search do not count as progress.
    ///
    /// - Parameters:
    ///   - type: what the recipe makes.
    ///   - findings: those of earlier searches of the same file.
    /// - Returns: the recipe; as it is if it has no trims.
    func withFoundTrims<Output: PipelineOutput>(
        _ type: Output.Type, _ recipe: Recipe, _ request: ImageRequest, _ input: LoadedInput, _ urgency: Urgency,
        _ stop: StopToken, _ findings: inout [TrimSearch: TrimOperation.Finding]
    ) async throws(TexelError) -> Recipe {
        var recipe = recipe
        let info = input.source.info
        while let search = TrimSearch(recipe, for: info, to: Output.planResult(of: recipe, for: info)) {
            let finding: TrimOperation.Finding
            if let known = findings[search] {
                finding = known
            } else {
                let plan = try Planner.plan(
                    search.recipe, for: info, to: search.result, limits: request.policy.limits)
                finding = try await carryOut([run(plan, input, request, stop, RowCounter())], urgency) {
                    (_, found: Result<TrimOperation.Finding, TexelError>) throws(TexelError) in
                    try found.get()
                }[0]
                findings[search] = finding
            }
            recipe = search.completed(recipe, finding)
        }
        return recipe
    }

    private func plan<Output: PipelineOutput>(
        _ type: Output.Type, _ recipe: Recipe, _ input: LoadedInput, _ request: ImageRequest, largestShrink: Int = 8,
        sharesDecode: Bool
    ) throws(TexelError) -> Plan {
        let info = input.source.info
        return try Planner.plan(
            recipe, for: info, to: Output.planResult(of: recipe, for: info), limits: request.policy.limits,
            largestShrink: largestShrink, sharesDecode: sharesDecode)
    }

    /// Carries out plans for one input when their turn has come.
    ///
    /// - Parameter deliver: called with the index and the result of each plan, on the thread that made it; an error it
    ///   throws becomes the error of the work.
    func carryOut<Output: IsolatedOutput, Value: Sendable>(
        _ runs: [RecipeRun], _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<Output, TexelError>) throws(TexelError) -> Value
    ) async throws(TexelError) -> [Value] {
        var values: [Int: Value] = [:]
        for (number, run) in runs.enumerated() where values[number] == nil {
            let group = runs.indices.filter { $0 == number || runs[$0].sharesDecode(with: run) }
            do throws(TexelError) {
                let made = try await carryOutTogether(group.map { runs[$0] }, run, urgency) {
                    (index, output: Result<Output, TexelError>) throws(TexelError) in
                    // A mapped file may have been shortened meanwhile.
                    if let failure = run.input.source.reloadableMemory.failure {
                        return try deliver(group[index], .failure(failure))
                    }
                    return try deliver(group[index], output.mapError(run.input.cause))
                }
                for (index, value) in zip(group, made) { values[index] = value }
            } catch {
                throw run.input.cause(of: error)
            }
        }
        return runs.indices.compactMap { values[$0] }
    }

    /// Carries out plans that share one decode, or a single one.
    private func carryOutTogether<Output: IsolatedOutput, Value: Sendable>(
        _ runs: [RecipeRun], _ first: RecipeRun, _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<Output, TexelError>) throws(TexelError) -> Value
    ) async throws(TexelError) -> [Value] {
        let isolated = first.input.source as? IsolatedFile
        // A decoder that serves one run needs no group.
        let isAlone = first.plan.planned.pixelRoute == nil || shared == nil && runs.count == 1
        if isolated != nil || isAlone {
            return try await first.input.run(
                on: workers, arrivals: arrivals, bytes: { runs.map(\.plan.estimatedBytes).reduce(0, +) },
                urgency: urgency, stop: first.stop
            ) { () throws(TexelError) in
                self.countDecode()
                if let isolated {
                    return try isolated.carryOut(runs, threads: first.parallelism(), deliver: deliver)
                }
                let made = Result { () throws(TexelError) in try Output.make(first.plan, first.context) }
                return [try deliver(0, made)]
            }
        }
        let decodes = shared?.decodes ?? SharedDecodes(workers, arrivals: arrivals)
        return try await decodes.run(runs, urgency: urgency, onBegin: countDecode) {
            // `consuming`, so that an encoder can release the pixels before it has finished.
            (index, image: consuming DecodedImage) throws(TexelError) in
            let output: Output
            do throws(TexelError) {
                output = try Output.make(runs[index].plan, runs[index].context, from: image)
            } catch {
                return try deliver(index, .failure(error))
            }
            return try deliver(index, .success(output))
        }
    }
}

extension RecipeRun {
    /// Whether one decoder can serve both runs: they begin with pixels of the same frame.
    fileprivate func sharesDecode(with other: RecipeRun) -> Bool {
        plan.planned.pixelRoute != nil && other.plan.planned.pixelRoute != nil
            && plan.image.frame == other.plan.image.frame
            && plan.image.recipe.dithers == other.plan.image.recipe.dithers
    }
}

// MARK: Files

extension ImagePipeline {
    /// Plans files made of one input. Waits for the whole header, because the names of the results and reports depend
    /// on the plans.
    package func planFiles(
        _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput, _ urgency: Urgency, _ stop: StopToken,
        rowCounters: [RowCounter]
    ) async throws(TexelError) -> [RecipeRun] {
        try await plan(
            EncodedImage.self, request, recipes, input, needsWholeHeader: true, urgency, stop, rowCounters: rowCounters)
    }

    /// Makes planned files when their turn has come.
    ///
    /// - Parameter deliver: called with the index and the file of each plan, on the thread that made it.
    package func makeFiles<Value: Sendable>(
        _ runs: [RecipeRun], _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<EncodedImage, TexelError>) throws(TexelError) -> Value
    ) async throws(TexelError) -> [Value] {
        try await carryOut(runs, urgency, deliver: deliver)
    }
}
