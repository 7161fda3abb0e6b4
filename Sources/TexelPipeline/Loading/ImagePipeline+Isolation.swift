import TexelCodecs

extension ImagePipeline {
    /// Carries out plans for one input in a child process when their turn has come.
    ///
    /// - Parameter deliver: called with the index and the result of each plan, on the thread that waited for the
    ///   child.
    func carryOut<Output: PipelineOutput, Value: Sendable>(
        _ runs: [RecipeRun], on input: IsolatedInput, _ urgency: Urgency,
        deliver: @escaping @Sendable (Int, Result<Output, PipelineError>) throws(PipelineError) -> Value
    ) async throws(PipelineError) -> [Value] {
        guard let first = runs.first else { return [] }
        let work = IsolatedWork(
            kind: Output.kind,
            orders: runs.map {
                IsolatedWork.Order(recipe: $0.plan.image.recipe, result: $0.plan.image.result, shrink: $0.plan.shrink)
            },
            routes: Array(first.routes), policy: first.policy)
        let formats = Set([first.input.source.info.format] + runs.compactMap(\.plan.format))
        return try await first.input.run(
            on: workers, arrivals: arrivals, bytes: { runs.map(\.plan.estimatedBytes).reduce(0, +) }, urgency: urgency,
            stop: first.stop
        ) { () throws(PipelineError) in
            self.decodes.countOther()
            var work = work
            work.threads = first.parallelism()
            let outputs = try input.isolation.carryOut(work, on: input, formats: formats, first.stop) {
                runs[$0].rowCounter.show($1)
            } read: { index, head, results throws(PipelineError) in
                let output = try Output.read(head, &results, runs[index].plan)
                runs[index].rowCounter.finish()
                return output
            }
            var values: [Value] = []
            for (index, output) in outputs.enumerated() { values.append(try deliver(index, output)) }
            return values
        }
    }
}
