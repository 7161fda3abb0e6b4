import TexelCodecs
import TexelOperations
import TexelPixels

extension ImagePipeline {
    /// Searches inputs for what the trims of recipes keep, so that the recipes can be planned.
    ///
    /// Each search decodes its input when its turn has come; equal searches are carried out once. Recipes without trims
    /// are returned as they are. The rows of a search do not count as progress.
    ///
    /// - Parameters:
    ///   - type: what the recipes make.
    ///   - recipes: recipes, and the input or the page that each is for.
    ///   - request: its policy applies; its own recipe is ignored.
    /// - Returns: the recipes, in the same order.
    func withFoundTrims<Output: RecipeOutput>(
        _ type: Output.Type, _ recipes: [(recipe: Recipe, input: LoadedInput)], _ request: ImageRequest,
        _ urgency: Urgency, _ stop: StopToken
    ) async throws(PipelineError) -> [Recipe] {
        var findings: [TrimSearch: TrimOperation.Finding] = [:]
        var found: [Recipe] = []
        for (recipe, input) in recipes {
            var recipe = recipe
            let info = input.source.info
            while let search = TrimSearch(recipe, for: info, to: Output.planResult(of: recipe, for: info)) {
                let finding: TrimOperation.Finding
                if let known = findings[search] {
                    finding = known
                } else {
                    finding = try await self.finding(search, request, input, urgency, stop)
                }
                findings[search] = finding
                recipe = search.completed(recipe, finding)
            }
            found.append(recipe)
        }
        return found
    }

    private func finding(
        _ search: TrimSearch, _ request: ImageRequest, _ input: LoadedInput, _ urgency: Urgency, _ stop: StopToken
    ) async throws(PipelineError) -> TrimOperation.Finding {
        var request = request
        request.recipe = search.recipe
        let run = try plan(PixelBuffer.self, request, input, stop, RowCounter())
        do throws(PipelineError) {
            return try await input.run(
                on: workers, arrivals: arrivals, bytes: { search.estimatedBytes(run.plan) }, urgency: urgency,
                stop: stop
            ) { () throws(PipelineError) in
                self.decodes.countOther()
                guard let isolated = input.isolated else { return try search.finding(run.context) }
                return try isolated.finding(
                    search, in: run.plan.outputSize, format: input.source.info.format, run.context)
            }
        } catch {
            throw input.cause(of: error)
        }
    }
}
