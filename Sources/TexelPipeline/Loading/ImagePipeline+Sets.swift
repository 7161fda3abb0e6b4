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
        let stop = StopToken(timeout: request.timeout)
        do throws(PipelineError) {
            let free = try plans(kind, request, recipes, input, stop, largestShrink: 8)
            let runs = try plans(
                kind, request, recipes, input, stop, largestShrink: free.map(\.plan.shrink).min() ?? 1)
            guard let first = runs.first else { return [] }
            return try await decodes.run(
                runs.map(\.plan), of: input, options: first.decodeOptions, urgency: urgency, stop: stop
            ) { index, image throws(PipelineError) in try kind.finish(runs[index], image) }
        } catch {
            throw input.cause(of: error)
        }
    }

    private func plans<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ recipes: [Recipe], _ input: LoadedInput,
        _ stop: StopToken, largestShrink: Int
    ) throws(PipelineError) -> [RecipeRun] {
        var runs: [RecipeRun] = []
        for recipe in recipes {
            var request = request
            request.recipe = recipe
            runs.append(try plan(kind, request, input, stop, RowCounter(), largestShrink: largestShrink))
        }
        return runs
    }
}

extension OutputKind {
    /// The same by way of pixels, which several results can share.
    fileprivate var withPixels: OutputKind {
        OutputKind(
            routes: [.streaming, .buffered], format: format, finish: finish, carryOut: carryOut, caching: caching)
    }
}
