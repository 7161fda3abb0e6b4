import TexelCodecs
import TexelFormats
import TexelPixels

/// A result that callers request.
protocol PipelineOutput: CacheableOutput, IsolatedOutput {
    static var kind: ResultKind { get }

    /// What a plan for it makes.
    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult
}

extension PixelBuffer: PipelineOutput {
    static var kind: ResultKind { .pixels }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult { .pixels }
}

extension EncodedImage: PipelineOutput {
    static var kind: ResultKind { .file }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult {
        .file(recipe.output.format ?? info.format.formatOfResults)
    }
}
