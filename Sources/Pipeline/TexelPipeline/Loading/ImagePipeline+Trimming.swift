import TexelCodecs
import TexelOperations
import TexelPixels

extension ImagePipeline {
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
    ) async throws(PipelineError) -> Recipe {
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
                    (_, found: Result<TrimOperation.Finding, PipelineError>) throws(PipelineError) in
                    try found.get()
                }[0]
                findings[search] = finding
            }
            recipe = search.completed(recipe, finding)
        }
        return recipe
    }
}
