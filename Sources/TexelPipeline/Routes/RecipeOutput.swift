import TexelCodecs
import TexelPixels

/// The kinds of results that a recipe can have. The raw values are part of the digests of cached results.
public enum ResultKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The bytes of an encoded image.
    case file = "encodedImage"
    /// Decoded pixels.
    case pixels = "pixelBuffer"
}

/// A result of a recipe: pixels or a file. Caches, children and the pipeline add what they need of one to this protocol.
protocol RecipeOutput: Sendable {
    static var kind: ResultKind { get }

    /// The routes that plans for it may use.
    static var routes: Set<Route> { get }

    /// What a plan for it makes.
    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult

    /// Carries out a plan.
    static func make(_ processor: Processor) throws(PipelineError) -> Self

    /// Completes a plan whose image was decoded elsewhere.
    static func make(_ processor: Processor, from image: consuming DecodedImage) throws(PipelineError) -> Self
}

extension PixelBuffer: RecipeOutput {
    static var kind: ResultKind { .pixels }
    static var routes: Set<Route> { [.streaming, .buffered] }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult { .pixels }

    static func make(_ processor: Processor) throws(PipelineError) -> PixelBuffer {
        try processor.pixelRoute.run().decoded.image
    }

    static func make(_ processor: Processor, from image: consuming DecodedImage) throws(PipelineError) -> PixelBuffer {
        let image = try processor.pixelRoute.finish(image).decoded.image
        processor.rowCounter?.finish()
        return image
    }
}

extension EncodedImage: RecipeOutput {
    static var kind: ResultKind { .file }
    static var routes: Set<Route> { Set(Route.allCases) }

    static func planResult(of recipe: Recipe, for info: ImageInfo) -> PlanResult {
        .file(recipe.output.format ?? info.format)
    }

    static func make(_ processor: Processor) throws(PipelineError) -> EncodedImage { try processor.run() }

    static func make(_ processor: Processor, from image: consuming DecodedImage) throws(PipelineError) -> EncodedImage {
        try processor.finish(image)
    }
}
