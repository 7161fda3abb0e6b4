import TexelCodecs
import TexelPixels

/// A planned recipe for one input.
package struct RecipeRun: Sendable {
    let input: LoadedInput
    let recipe: Recipe
    package let plan: Plan
    /// The routes that the plan could choose from.
    let routes: Set<Route>
    let limits: Limits
    let strictness: Strictness
    package let stop: StopToken
    let parallelism: @Sendable () -> Int
    let rowCounter: RowCounter

    /// Without the plan's shrink factor.
    var decodeOptions: DecodeOptions {
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        options.stopCheck = stop.check
        options.rowCounter = rowCounter
        return options
    }

    var processor: Processor {
        Processor(
            input.source, recipe: recipe, plan: plan, limits: limits, strictness: strictness, stopCheck: stop.check,
            parallelism: parallelism, rowCounter: rowCounter)
    }
}

/// A result that the pipeline makes, keeps in its caches, and receives from children.
typealias PipelineOutput = CacheableOutput & IsolatedOutput
