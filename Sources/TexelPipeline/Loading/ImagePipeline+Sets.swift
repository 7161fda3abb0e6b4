import Synchronization
package import TexelCodecs
public import TexelPixels

extension ImagePipeline {
    /// Makes several images of one input, such as the sizes of a page's `srcset`, with one decode at the finest scale
    /// that any of them needs.
    ///
    /// - Parameters:
    ///   - request: the input and its options; its own recipe is ignored.
    ///   - recipes: the recipe of each image.
    /// - Returns: an image for each recipe, in the same order.
    /// - Throws: `PipelineError`.
    public func images(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(PipelineError) -> [PixelBuffer] {
        try await makeSet(request, recipes)
    }

    /// Encodes several images of one input, with one decode at the finest scale that any of them needs.
    ///
    /// - Parameters:
    ///   - request: the input and its options; its own recipe is ignored.
    ///   - recipes: the recipe of each image.
    /// - Returns: the bytes of a file for each recipe, in the same order.
    /// - Throws: `PipelineError`.
    public func encodedImages(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(PipelineError) -> [EncodedImage] {
        try await makeSet(request, recipes)
    }

    private func makeSet<Output: PipelineOutput>(
        _ request: ImageRequest, _ recipes: [Recipe]
    ) async throws(PipelineError) -> [Output] {
        let urgency = Urgency(request.priority)
        let loaded = load(request, urgency)
        defer { loaded.leave() }
        let input = try await loaded.output()
        let runs: [RecipeRun]
        do throws(PipelineError) {
            let stop = StopToken(timeout: request.timeout)
            runs = try await planning(input) { needsWholeHeader throws(PipelineError) in
                try await planSet(
                    Output.self, request, recipes, input, needsWholeHeader: needsWholeHeader, urgency, stop,
                    rowCounters: recipes.map { _ in RowCounter() })
            }
        } catch {
            throw input.cause(of: error)
        }
        return try await carryOutSet(runs, urgency) {
            (_, output: Result<Output, PipelineError>) throws(PipelineError) in
            try output.get()
        }
    }

    /// Plans with the header of the bytes that have arrived, and if that fails, with the header of the whole file: it
    /// may turn the image, so that a crop fits.
    func planning<Value>(
        _ input: LoadedInput, _ plan: (_ needsWholeHeader: Bool) async throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        do throws(PipelineError) {
            return try await plan(false)
        } catch {
            if input.source.holdsWholeHeader || error.isStop { throw error }
            return try await plan(true)
        }
    }

    /// Plans several recipes for one input so that one decode serves all: at the finest scale that any of them needs.
    ///
    /// - Parameter needsWholeHeader: whether to wait for all bytes that may change the header.
    func planSet<Output: PipelineOutput>(
        _ type: Output.Type, _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput,
        needsWholeHeader: Bool, _ urgency: Urgency, _ stop: StopToken, rowCounters: [RowCounter]
    ) async throws(PipelineError) -> [RecipeRun] {
        // Several results can share decoded pixels, but not decoded planes.
        let routes = Set(Route.allCases).subtracting([.planar])
        // Recipes that name the same page share it, and so its decode.
        var pages: [Int?: LoadedInput] = [:]
        let needsWholeHeader = needsWholeHeader || recipes.contains { $0.firstOpenTrim != nil }
        for recipe in recipes where pages[recipe.frame] == nil {
            pages[recipe.frame] = try await input.page(
                recipe.frame, needsWholeHeader: needsWholeHeader, limits: request.policy.limits, urgency, stop)
        }
        let recipes = try await withFoundTrims(
            type, recipes.map { ($0, pages[$0.frame] ?? input) }, request, urgency, stop)
        func plans(largestShrink: Int) throws(PipelineError) -> [RecipeRun] {
            var runs: [RecipeRun] = []
            for (recipe, rowCounter) in zip(recipes, rowCounters) {
                var request = request
                request.recipe = recipe
                runs.append(
                    try plan(
                        type, request, pages[recipe.frame] ?? input, stop, rowCounter, routes: routes,
                        largestShrink: largestShrink, leastPixelsForRows: nil))
            }
            return runs
        }
        return try plans(largestShrink: plans(largestShrink: 8).map(\.plan.shrink).min() ?? 1)
    }

    /// Carries out plans of a set when their turn has come.
    ///
    /// - Parameter deliver: called with the index and the result of each plan, on the thread that made it.
    func carryOutSet<Output: PipelineOutput, Value: Sendable>(
        _ runs: [RecipeRun], _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<Output, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> [Value] {
        guard let first = runs.first else { return [] }
        guard runs.count == 1 || runs.allSatisfy({ $0.sharesDecode(with: first) }) else {
            var values: [Int: Value] = [:]
            for (number, run) in runs.enumerated() where values[number] == nil {
                let group = runs.indices.filter { $0 == number || runs[$0].sharesDecode(with: run) }
                let results = try await carryOutSet(group.map { runs[$0] }, urgency) {
                    (index, result: Result<Output, PipelineError>) throws(PipelineError) in
                    try deliver(group[index], result)
                }
                for (index, value) in zip(group, results) { values[index] = value }
            }
            return runs.indices.compactMap { values[$0] }
        }
        guard first.plan.pixelRoute != nil else {
            let value = try await carryOutAlone(first, urgency) {
                (result: Result<Output, PipelineError>) throws(PipelineError) in
                try deliver(0, result)
            }
            return [value]
        }
        do throws(PipelineError) {
            if let isolated = first.input.isolated {
                return try await carryOut(runs, on: isolated, urgency, deliver: deliver)
            }
            return try await decodes.run(runs, urgency: urgency) {
                (index, image: consuming DecodedImage) throws(PipelineError) in
                let output: Output
                do throws(PipelineError) {
                    output = try Output.make(runs[index].plan, runs[index].context, from: image)
                    try first.input.checkIsWhole()
                } catch {
                    return try deliver(index, .failure(error))
                }
                return try deliver(index, .success(output))
            }
        } catch {
            throw first.input.cause(of: error)
        }
    }

    /// Carries out a plan that does not begin with decoded pixels.
    private func carryOutAlone<Output: PipelineOutput, Value: Sendable>(
        _ run: RecipeRun, _ urgency: Urgency,
        deliver: @escaping @Sendable (Result<Output, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        let delivered = Mutex<Value?>(nil)
        do throws(PipelineError) {
            _ = try await carryOut(run, urgency) { (output: Output) throws(PipelineError) in
                let value = try deliver(.success(output))
                delivered.withLock { $0 = value }
            }
        } catch {
            if case .codec(.stopped) = error { throw error }
            return try deliver(.failure(error))
        }
        guard let value = delivered.withLock({ $0 }) else { throw .codec(.stopped(.cancelled)) }
        return value
    }
}

extension RecipeRun {
    /// Whether one decoder can serve both runs: they begin with pixels of the same frame.
    fileprivate func sharesDecode(with other: RecipeRun) -> Bool {
        plan.pixelRoute != nil && other.plan.pixelRoute != nil && plan.image.frame == other.plan.image.frame
            && plan.image.recipe.dithers == other.plan.image.recipe.dithers
    }
}

// MARK: Files

extension ImagePipeline {
    /// Plans a file. Waits for the whole header, because the name of the result and reports depend on the plan.
    package func planFile(
        _ request: ImageRequest, _ input: LoadedInput, _ urgency: Urgency, _ stop: StopToken, _ rowCounter: RowCounter
    ) async throws(PipelineError) -> RecipeRun {
        let page = try await input.page(
            request.recipe.frame, needsWholeHeader: true, limits: request.policy.limits, urgency, stop)
        var request = request
        request.recipe = try await withFoundTrims(
            EncodedImage.self, [(request.recipe, page)], request, urgency, stop)[0]
        return try plan(EncodedImage.self, request, page, stop, rowCounter)
    }

    /// Makes a planned file when its turn has come.
    ///
    /// - Parameter keep: called with the file on the thread that made it; an error it throws becomes the error of the
    ///   work.
    package func carryOutFile(
        _ run: RecipeRun, _ urgency: Urgency, keep: @escaping @Sendable (EncodedImage) throws(PipelineError) -> Void
    ) async throws(PipelineError) {
        _ = try await carryOut(run, urgency, keep: keep)
    }

    /// Plans several files made of one input so that one decode serves all. Waits for the whole header, as
    /// ``planFile(_:_:_:_:_:)`` does.
    package func planFiles(
        _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput, _ urgency: Urgency, _ stop: StopToken,
        rowCounters: [RowCounter]
    ) async throws(PipelineError) -> [RecipeRun] {
        try await planSet(
            EncodedImage.self, request, recipes, input, needsWholeHeader: true, urgency, stop, rowCounters: rowCounters)
    }

    /// Makes the planned files when their turn has come.
    ///
    /// - Parameter deliver: called with the index and the file of each plan, on the thread that made it.
    package func carryOutFiles<Value: Sendable>(
        _ runs: [RecipeRun], _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<EncodedImage, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> [Value] {
        try await carryOutSet(runs, urgency, deliver: deliver)
    }
}
