import Synchronization
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
        try await makeSet(.file.withoutPlanes, request, recipes)
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
        guard runs.count == 1 || runs.allSatisfy({ $0.sharesDecode(with: first) }) else {
            var values: [Int: Value] = [:]
            for (number, run) in runs.enumerated() where values[number] == nil {
                let group = runs.indices.filter { $0 == number || runs[$0].sharesDecode(with: run) }
                let results = try await carryOutSet(kind, group.map { runs[$0] }, urgency) {
                    index, result throws(PipelineError) in
                    try deliver(group[index], result)
                }
                for (index, value) in zip(group, results) { values[index] = value }
            }
            return runs.indices.compactMap { values[$0] }
        }
        guard first.processor.beginsWithPixels else {
            let value = try await carryOutAlone(kind, first, urgency) { result throws(PipelineError) in
                try deliver(0, result)
            }
            return [value]
        }
        for run in runs { run.processor.expectPixels() }
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

    /// Carries out a plan of a set that does not begin with pixels.
    private func carryOutAlone<Output, Value: Sendable>(
        _ kind: OutputKind<Output>, _ run: RecipeRun, _ urgency: Urgency,
        deliver: @escaping @Sendable (Result<Output, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        let delivered = Mutex<Value?>(nil)
        do throws(PipelineError) {
            _ = try await carryOut(kind, run, urgency) { output throws(PipelineError) in
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
    /// Whether the rows of one decoder serve both: they begin with pixels of the same frame.
    fileprivate func sharesDecode(with other: RecipeRun) -> Bool {
        processor.beginsWithPixels && other.processor.beginsWithPixels && plan.frame == other.plan.frame
    }
}

extension OutputKind {
    /// The same without the planar route: the planes of one decode cannot be shared by several results, but its pixels
    /// can.
    var withoutPlanes: OutputKind {
        OutputKind(
            routes: routes.subtracting([.planar]), format: format, finish: finish, carryOut: carryOut, caching: caching,
            isolated: isolated)
    }
}
