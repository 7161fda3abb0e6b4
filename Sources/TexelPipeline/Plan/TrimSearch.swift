import TexelCodecs
import TexelFormats
import TexelOperations
import TexelPixels

/// The search for what a recipe's first trim keeps of an image. A recipe can only be planned once this is known,
/// because the sizes of all later operations depend on it.
struct TrimSearch: Sendable, Hashable, Codable {
    /// Makes the pixels that are searched.
    let recipe: Recipe
    private let trim: TrimOperation
    /// Whether all frames of an animation are searched, not only the image that is shown for it.
    private let searchesFrames: Bool

    /// Returns `nil` if the recipe has no trim whose pixels have not been searched.
    ///
    /// - Parameters:
    ///   - info: the header of the image.
    ///   - result: what the recipe makes.
    init?(_ recipe: Recipe, for info: ImageInfo, to result: PlanResult) {
        guard let index = recipe.firstOpenTrim, let trim = recipe.operations[index].value as? TrimOperation else {
            return nil
        }
        // Only what the pixels depend on, so that recipes with one trim and different sizes have equal searches.
        var before = Recipe()
        before.operations = Array(recipe.operations[..<index])
        before.appliesOrientation = recipe.appliesOrientation
        before.frame = recipe.frame
        before.output.background = recipe.output.background ?? (result.capabilities.hasAlpha ? nil : .white)
        before.output.colorSpace = recipe.output.colorSpace
        if recipe.output.metadata == .none { before.output.metadata = .none }
        self.recipe = before
        self.trim = trim
        searchesFrames = info.isAnimation && recipe.frame == nil && result.capabilities.writesAnimations
    }

    /// The recipe with what the search found.
    func completed(_ recipe: Recipe, _ finding: TrimOperation.Finding) -> Recipe {
        var recipe = recipe
        guard let index = recipe.firstOpenTrim else { return recipe }
        var trim = trim
        trim.finding = finding
        recipe.operations[index] = PixelOperation(trim)
        return recipe
    }

    /// Bytes in memory during the search, without the input itself.
    ///
    /// - Parameter plan: how the pixels are made.
    func estimatedBytes(_ plan: Plan) -> Int {
        // The canvas, and what is under a frame that is removed again.
        let canvases = searchesFrames ? 2 * (plan.image.input.size.pixelCount ?? 0) * PixelBuffer.bytesPerPixel : 0
        return plan.estimatedBytes + canvases
    }

    /// Decodes the image and searches it.
    func finding(_ context: RouteContext) throws(PipelineError) -> TrimOperation.Finding {
        let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
            try Planner.plan(recipe, for: context.source.info, to: .pixels)
        }
        let rectangle =
            searchesFrames ? try rectangleInFrames(plan, context) : rectangle(in: try plan.pixels(context))
        return rectangle.map { .content($0) } ?? .onlyBackground
    }

    private func rectangle(in image: PixelBuffer) -> PixelRectangle? {
        image.contentRectangle(background: trim.background, tolerance: trim.tolerance)
    }

    /// The union of the rectangles of all frames.
    private func rectangleInFrames(_ plan: Plan, _ context: RouteContext) throws(PipelineError) -> PixelRectangle? {
        let frames = try ComposedFrames(context)
        let steps = plan.pixelRoute.map { $0.load.steps(for: plan.image.input.size) + $0.steps } ?? []
        var union: PixelRectangle?
        for index in frames.animation.frames.indices where union?.size != plan.outputSize {
            try context.checkStop()
            var image = try frames.frame(index)
            _ = try context.apply(steps, to: &image)
            guard let own = rectangle(in: image) else { continue }
            union = union?.union(own) ?? own
        }
        return union
    }
}
