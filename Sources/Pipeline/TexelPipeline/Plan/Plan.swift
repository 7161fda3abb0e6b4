public import TexelCodecs
package import TexelCore
import TexelFormats
public import TexelPixels

/// How one recipe is carried out for one image: a route, with what it needs.
public struct Plan: Sendable {
    /// The route with what it needs.
    let planned: any PlannedRoute

    init(_ planned: any PlannedRoute) { self.planned = planned }

    /// Why the result must not be made, as far as the header shows; `nil` if it may.
    package var refusal: TexelError? {
        planned is any PixelRoute ? image.recipe.refusalOfOneImage(of: image.input) : nil
    }

    /// The properties of the image that the plan makes.
    var image: PlannedImage { planned.image }

    /// The recipe, with the results of the searches for its trims.
    package var recipe: Recipe { image.recipe }

    /// The way the image is processed.
    public var route: Route { image.route }
    /// The format of the result; `nil` for pixels.
    public var format: ImageFormat? { image.result.format }
    /// The size of the result.
    public var outputSize: PixelSize { image.size }
    /// The largest size that any operation produces, including intermediate ones.
    package var largestSize: PixelSize { image.largestSize }
    /// The factor by which the decoder divides both sides.
    public var shrink: Int { planned.shrink }
    /// Bytes in memory while the plan runs, without the input itself.
    public var estimatedBytes: Int { planned.estimatedBytes }

    /// Checks the largest image that any operation produces, and the memory.
    ///
    /// - Throws: `limitExceeded`.
    func check(_ limits: Limits) throws(TexelError) {
        try limits.check(largestSize)
        try limits.checkPlan(estimatedBytes)
    }

    /// The EXIF orientation of the written pixels: identity once it has been applied.
    public var writtenOrientation: Orientation { image.writtenOrientation }
    /// Whether the geometry, colours or format change, so that the input's pixel data cannot be kept.
    public var changesPixels: Bool { image.changesPixels }
}

extension Plan: CustomStringConvertible {
    /// Describes the plan in a few lines, for `--explain`.
    public var description: String {
        let (planned, image, encoding) = (planned, image, planned.encoding)
        var lines = ["route: \(route.rawValue) (\(planned.reason))"]
        if case .impossible(let obstacle)? = encoding?.losslessTransform {
            lines.append("not \(Route.losslessTransform.rawValue): \(obstacle)")
        }
        if let frame = image.frame { lines.append("frame: \(frame)") }
        lines += image.recipe.trimExplanation
        lines += planned.explanation
        lines += planned.stepExplanation
        if let palette = encoding?.palette {
            let condition = palette.quality.map { " if that reaches quality \($0)" } ?? ""
            lines.append("palette: at most \(palette.colors) colours\(condition)")
        }
        let ownQuality =
            encoding?.quantization.map { ", with the input's own quantisation (quality about \($0.nearestQuality))" }
        lines.append("result: \(image.size) \(format?.rawValue ?? "pixels")\(ownQuality ?? "")")
        let megabytes = estimatedBytes / 1_000_000
        lines.append("memory: \(megabytes == 0 ? "less than 1" : "about \(megabytes)") MB")
        return lines.joined(separator: "\n")
    }
}

/// Carries a plan out, from encoded bytes to encoded bytes.
extension Plan {
    /// Makes the file that was planned.
    package func file(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        do throws(TexelError) {
            let made = try carriedOut(context) { plan, context throws(TexelError) in try plan.planned.run(context) }
            return try made.plan.completed(made.value, made.context)
        } catch {
            throw context.output?.cause(of: error) ?? error
        }
    }

    /// Makes the planned file from an image that was decoded elsewhere for ``PlannedRoute/pixelRoute``.
    func file(_ context: RouteContext, from image: consuming DecodedImage) throws(TexelError) -> EncodedImage {
        do throws(TexelError) {
            if let (plan, context) = try revision(context) {
                return try plan.completed(try plan.planned.run(context), context)
            }
            return try completed(try requiredPixelRoute().file(context, from: image), context)
        } catch {
            throw context.output?.cause(of: error) ?? error
        }
    }

    /// Makes the planned pixels.
    package func pixels(_ context: RouteContext) throws(TexelError) -> PixelBuffer {
        try carriedOut(context) { plan, context throws(TexelError) in
            try plan.requiredPixelRoute().pixels(context)
        }.value
    }

    /// Makes the planned pixels from an image that was decoded elsewhere for ``PlannedRoute/pixelRoute``.
    func pixels(_ context: RouteContext, from image: consuming DecodedImage) throws(TexelError) -> PixelBuffer {
        let pixels: PixelBuffer
        if let (plan, context) = try revision(context) {
            pixels = try plan.requiredPixelRoute().pixels(context)
        } else {
            pixels = try requiredPixelRoute().finished(image, context).decoded.image
        }
        context.rowCounter?.finish()
        return pixels
    }

    private func requiredPixelRoute() throws(TexelError) -> any PixelRoute {
        guard let pixelRoute = planned.pixelRoute else {
            throw .unsupported("pixels on the route \(route.rawValue)")
        }
        return pixelRoute
    }

    // MARK: Metadata after the pixels

    /// Carries this plan out, or, if the rest of the file changes the result, another one. An error of this plan counts
    /// only if it is the plan for the whole file.
    private func carriedOut<Value>(
        _ context: RouteContext, _ body: (Plan, RouteContext) throws(TexelError) -> Value
    ) throws(TexelError) -> (value: Value, plan: Plan, context: RouteContext) {
        let outcome = Result { () throws(TexelError) in try body(self, context) }
        if case .failure(let error) = outcome {
            if context.source.holdsWholeHeader || error.isStop { throw error }
            // The header of a damaged file may be unreadable; then its first error is reported.
            guard let (plan, context) = try? revision(context) else { throw error }
            return (try body(plan, context), plan, context)
        }
        guard let (plan, context) = try revision(context) else { return (try outcome.get(), self, context) }
        return (try body(plan, context), plan, context)
    }

    /// Returns another plan for the file if its header was read before all bytes had arrived, and the rest of them
    /// changes the result: an orientation after the pixels of a PNG, for example. Waits for the end of the file.
    private func revision(_ context: RouteContext) throws(TexelError) -> (plan: Plan, context: RouteContext)? {
        let source = try context.source.withWholeHeader(limits: context.policy.limits, context.stop)
        guard image.isOutdated(by: source.info) else { return nil }
        var context = context
        context.source = source
        // All rows have been counted.
        context.rowCounter = nil
        return (
            try Planner.plan(image.recipe, for: source.info, to: image.result, limits: context.policy.limits), context
        )
    }

    private func completed(_ result: EncodedImage, _ context: RouteContext) throws(TexelError) -> EncodedImage {
        var result = try withoutGrowth(result, context)
        context.rowCounter?.finish()
        if let fault = context.source.info.colorFault { result.warnings.append(fault) }
        result.warnings += image.recipe.trimNotes + planned.steps.compactMap(\.note)
        result.warnings += image.recipe.operations.flatMap(\.value.warnings)
        return try notingLosses(result, context)
    }

    /// Returns the result with a warning for each block of metadata and each attachment of the input that was dropped.
    ///
    /// - Throws: `attachmentsLost` if the recipe refuses such a result.
    private func notingLosses(
        _ result: EncodedImage, _ context: RouteContext
    ) throws(TexelError) -> EncodedImage {
        var result = result
        let hasOwnPixels = result.isKept || [.passthrough, .recompress, .transcode].contains(result.route)
        let keepsAttachments = hasOwnPixels && image.keepsAttachments
        // A file that is stored in another one, or restored from one, has its own metadata.
        if result.route != .transcode {
            result.warnings += image.metadataNotes(
                context.source.info.metadata, size: result.size, to: result.format, keepsAttachments: keepsAttachments)
        }
        if keepsAttachments { return result }
        let attachments = try context.source.attachments(context.stop)
        if !attachments.isEmpty, image.recipe.refusesDroppedParts { throw .attachmentsLost(attachments) }
        result.warnings += attachments.map { "the additional \($0.rawValue) was dropped" }.sorted()
        return result
    }

    // MARK: Growth

    /// Returns the result, unless only the orientation changed the pixels and the result is larger than the input.
    ///
    /// In that case returns the first of these that is not larger: moved coefficients; an encoding with balanced
    /// effort; the pixels as stored, with the orientation as a tag.
    private func withoutGrowth(_ result: EncodedImage, _ context: RouteContext) throws(TexelError) -> EncodedImage {
        let (info, recipe) = (context.source.info, image.recipe)
        guard recipe.output.compresses, recipe.output.keepsSmallerOriginal, recipe.operations.isEmpty,
            recipe.appliesOrientation, info.orientation != .identity, format == info.format,
            recipe.frame == nil || !info.isAnimation, !context.isDamaged(result.warnings)
        else { return result }
        let byteCount = try OriginalFile(image, context).byteCount()
        if result.byteCount <= byteCount { return result }
        var lossless = recipe
        (lossless.output.isLossless, lossless.output.quality, lossless.output.subsampling) = (true, nil, .automatic)
        lossless.output.target = EncodingTarget()
        if let moved = try replanned(lossless, ifRouteIs: .losslessTransform, context), moved.byteCount <= byteCount {
            return moved
        }
        if planned.encoding?.output.effort == .fast {
            var balanced = recipe
            balanced.output.effort = .balanced
            if let image = try replanned(balanced, context), image.byteCount <= byteCount { return image }
        }
        var tagged = recipe
        tagged.appliesOrientation = false
        guard var kept = try replanned(tagged, context) else { return result }
        kept.warnings.append("the orientation was kept as a tag: the file would be larger with it applied")
        return kept
    }

    /// Returns the result of another recipe for the same source.
    ///
    /// - Parameter route: the only route that is taken; `nil` for any.
    /// - Returns: `nil` if the plan has another route.
    private func replanned(
        _ recipe: Recipe, ifRouteIs route: Route? = nil, _ context: RouteContext
    ) throws(TexelError) -> EncodedImage? {
        let plan = try Planner.plan(recipe, for: image.input, to: image.result)
        guard route == nil || plan.route == route else { return nil }
        // All rows were announced and counted before.
        var uncounted = context
        uncounted.rowCounter = nil
        return try plan.planned.run(uncounted)
    }
}
