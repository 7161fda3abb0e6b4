import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// The search for what a recipe's first trim keeps of an image. A recipe can only be planned once this is known,
/// because the sizes of all later operations depend on it.
struct TrimSearch: Sendable, Hashable {
    /// Makes the pixels that are searched.
    let recipe: Recipe
    /// The result of the search, a ``TrimOperation/Finding``.
    let result: PlanResult

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
        (before.frame, before.playback) = (recipe.frame, recipe.playback)
        before.output.background = recipe.output.background ?? (result.capabilities.hasAlpha ? nil : .white)
        before.output.colorSpace = recipe.output.colorSpace
        if recipe.output.metadata == .none { before.output.metadata = .none }
        self.recipe = before
        let inFrames = info.isAnimation && recipe.frame == nil && result.capabilities.writesAnimations
        self.result = .content(trim, inFrames: inFrames)
    }

    /// The recipe with what the search found.
    func completed(_ recipe: Recipe, _ finding: TrimOperation.Finding) -> Recipe {
        var recipe = recipe
        guard let index = recipe.firstOpenTrim, case .content(var trim, _) = result else { return recipe }
        trim.finding = finding
        recipe.operations[index] = PixelOperation(trim)
        return recipe
    }
}

extension TrimOperation.Finding: RecipeOutput {
    static func make(_ plan: Plan, _ context: RouteContext) throws(TexelError) -> TrimOperation.Finding {
        if plan.image.result.searchesFrames { return try found(inFrames: plan, context) }
        return found(try plan.pixels(context), plan)
    }

    static func make(
        _ plan: Plan, _ context: RouteContext, from image: consuming DecodedImage
    ) throws(TexelError) -> TrimOperation.Finding {
        found(try plan.pixels(context, from: image), plan)
    }

    private static func found(_ image: PixelBuffer, _ plan: Plan) -> TrimOperation.Finding {
        rectangle(in: image, plan).map { .content($0) } ?? .onlyBackground
    }

    private static func rectangle(in image: PixelBuffer, _ plan: Plan) -> PixelRectangle? {
        guard case .content(let trim, _) = plan.image.result else { return nil }
        return image.contentRectangle(background: trim.background, tolerance: trim.tolerance)
    }

    /// Finds the union of the rectangles of all frames.
    private static func found(
        inFrames plan: Plan, _ context: RouteContext
    ) throws(TexelError) -> TrimOperation.Finding {
        let frames = try ComposedFrames(context)
        let route = plan.planned as? any PixelRoute
        let steps = route.map { $0.load.steps(for: plan.image.input.size) + $0.steps } ?? []
        var union: PixelRectangle?
        let schedule = try FrameSchedule(
            frames.animation, plan.image.recipe.playback, frameLimit: context.policy.limits.frames)
        for index in schedule.frames where union?.size != plan.outputSize {
            try context.checkStop()
            var image = try frames.frame(index)
            _ = try context.apply(steps, to: &image)
            guard let own = rectangle(in: image, plan) else { continue }
            union = union?.union(own) ?? own
        }
        return union.map { .content($0) } ?? .onlyBackground
    }
}

extension Recipe {
    /// The index of the first trim for which the pixels have not been searched; `nil` if the recipe can be planned.
    var firstOpenTrim: Int? {
        operations.firstIndex { ($0.value as? TrimOperation).map { $0.finding == nil } ?? false }
    }

    /// What the searches for the recipe's trims found.
    private var trimFindings: [TrimOperation.Finding] {
        operations.compactMap { ($0.value as? TrimOperation)?.finding }
    }

    /// A line for `--explain` for each trim.
    var trimExplanation: [String] {
        trimFindings.map { finding in
            switch finding {
            case .content(let rectangle): "trim: the image was decoded to find its content, \(rectangle)"
            case .onlyBackground: "trim: the image was decoded to find its content; all of it is background"
            }
        }
    }

    /// A warning if a trim found nothing to keep.
    var trimNotes: [String] {
        trimFindings.contains(.onlyBackground) ? ["nothing was trimmed: the whole image is background"] : []
    }
}
