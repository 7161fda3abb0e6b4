import TexelCodecs
import TexelPixels

/// A planned recipe for one input.
package struct RecipeRun: Sendable {
    let input: LoadedInput
    let recipe: Recipe
    package let plan: Plan
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

    var pixelRoute: PixelRoute {
        PixelRoute(input.source, plan: plan, options: decodeOptions, parallelism: parallelism)
    }
}

/// The kind of result that a recipe makes: pixels, or the bytes of a file.
package struct OutputKind<Output: Sendable>: Sendable {
    /// The routes that its plans may use.
    let routes: Set<Route>
    /// What its plans make.
    let result: @Sendable (Recipe, ImageInfo) -> PlanResult
    /// Completes a run whose image was decoded.
    let finish: @Sendable (RecipeRun, consuming DecodedImage) throws(PipelineError) -> Output
    /// Carries out a run that does not begin with decoded pixels.
    let carryOut: @Sendable (RecipeRun) throws(PipelineError) -> Output
    let caching: ResultCaching<Output>
    /// The request to a child process, and how its answer becomes a result.
    let isolated: IsolatedOutput<Output>
}

extension OutputKind<PixelBuffer> {
    static var pixels: OutputKind {
        OutputKind(
            routes: [.streaming, .buffered], result: { _, _ in .pixels },
            finish: { run, image throws(PipelineError) in
                let image = try run.pixelRoute.finish(image).decoded.image
                run.rowCounter.finish()
                return image
            },
            carryOut: { run throws(PipelineError) in try run.pixelRoute.run().decoded.image },
            caching: .pixels, isolated: .pixels)
    }
}

extension OutputKind<EncodedImage> {
    package static var file: OutputKind {
        OutputKind(
            routes: Set(Route.allCases), result: { recipe, info in .file(recipe.output.format ?? info.format) },
            finish: { (run, image: consuming DecodedImage) throws(PipelineError) in
                try run.processor.finish(image)
            },
            carryOut: { run throws(PipelineError) in try run.processor.run() },
            caching: .file, isolated: .file)
    }
}
