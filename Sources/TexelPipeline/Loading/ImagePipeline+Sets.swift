import TexelCodecs
public import TexelPixels

extension ImagePipeline {
    /// Several pictures of one input, such as the sizes of a page's `srcset`, from one decode at the finest scale that
    /// any of them wants.
    ///
    /// - Parameters:
    ///   - request: whose own recipe counts for nothing.
    ///   - recipes: what to make.
    /// - Returns: a picture for each recipe, in their order.
    /// - Throws: `PipelineError`.
    public func images(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(PipelineError) -> [PixelBuffer] {
        try await makeSet(.pixels, request, recipes)
    }

    /// Several files made of one input, from one decode at the finest scale that any of them wants.
    ///
    /// - Parameters:
    ///   - request: whose own recipe counts for nothing.
    ///   - recipes: what to make.
    /// - Returns: a file for each recipe, in their order.
    /// - Throws: `PipelineError`.
    public func encodedImages(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(PipelineError) -> [EncodedImage] {
        try await makeSet(.file.withPixels, request, recipes)
    }

    private func makeSet<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ recipes: [Recipe]
    ) async throws(PipelineError) -> [Output] {
        let urgency = Urgency(request.priority)
        let loaded = load(request, urgency)
        defer { loaded.leave() }
        let input = try await loaded.output()
        let runs: [RecipeRun]
        do throws(PipelineError) {
            runs = try planSet(
                kind, request, recipes, input, StopToken(timeout: request.timeout),
                rowCounters: recipes.map { _ in RowCounter() })
        } catch {
            throw input.cause(of: error)
        }
        return try await carryOutSet(kind, runs, urgency) { _, output throws(PipelineError) in try output.get() }
    }

    /// Plans what recipes make of one input so that one decode serves all: at the finest scale that any of them wants.
    func planSet<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput,
        _ stop: StopToken, rowCounters: [RowCounter]
    ) throws(PipelineError) -> [RecipeRun] {
        func plans(largestShrink: Int) throws(PipelineError) -> [RecipeRun] {
            var runs: [RecipeRun] = []
            for (recipe, rowCounter) in zip(recipes, rowCounters) {
                var request = request
                request.recipe = recipe
                runs.append(try plan(kind, request, input, stop, rowCounter, largestShrink: largestShrink))
            }
            return runs
        }
        return try plans(largestShrink: plans(largestShrink: 8).map(\.plan.shrink).min() ?? 1)
    }

    /// Carries out some of a set's plans when it is their turn.
    ///
    /// - Parameter deliver: goes on with what the plan of that number came to, on the thread that made it.
    func carryOutSet<Output, Value: Sendable>(
        _ kind: OutputKind<Output>, _ runs: [RecipeRun], _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<Output, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> [Value] {
        guard let first = runs.first else { return [] }
        guard runs.allSatisfy({ $0.plan.frame == first.plan.frame }) else {
            // One decode gives one frame.
            var values: [Value] = []
            for (number, run) in runs.enumerated() {
                values += try await carryOutSet(kind, [run], urgency) { _, result throws(PipelineError) in
                    try deliver(number, result)
                }
            }
            return values
        }
        do throws(PipelineError) {
            if let isolated = first.input.isolated {
                return try await carryOut(kind, runs, on: isolated, urgency, deliver: deliver)
            }
            return try await decodes.run(runs, urgency: urgency) {
                (index, image: consuming DecodedImage) throws(PipelineError) in
                let output: Output
                do throws(PipelineError) {
                    output = try kind.finish(runs[index], image)
                } catch {
                    return try deliver(index, .failure(error))
                }
                return try deliver(index, .success(output))
            }
        } catch {
            throw first.input.cause(of: error)
        }
    }
}

extension OutputKind {
    /// The same by way of pixels, which several results can share.
    var withPixels: OutputKind {
        OutputKind(
            routes: [.streaming, .buffered], format: format, finish: finish, carryOut: carryOut, caching: caching,
            isolated: isolated)
    }
}
