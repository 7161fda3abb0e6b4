package import TexelCodecs
import TexelPixels

/// A planned recipe for one input.
package struct RecipeRun: Sendable {
    package let input: LoadedInput
    package let plan: Plan
    /// The routes that the plan could choose from.
    let routes: Set<Route>
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

/// A result that the pipeline makes, keeps in its caches, and receives from children.
typealias PipelineOutput = CacheableOutput & IsolatedOutput
