import TexelCodecs
import TexelPixels

/// Decides whether the input's own pixels replace the result.
extension Processor {
    /// Whether the input's own pixel data may replace the result.
    func isKeepable(_ warnings: [String]) -> Bool {
        recipe.output.keepsSmallerOriginal && !plan.changesPixels && !isDamaged(warnings)
    }

    /// The least gain, as a share of the input's bytes, for which a lossy result is accepted.
    var minimumGain: Double {
        plan.encoding?.options.isLossy ?? false ? recipe.output.minimumGain : 0
    }

    func isGain(_ count: Int, over original: Int, _ minimumGain: Double) -> Bool {
        count < original && Double(original - count) >= minimumGain * Double(original)
    }

    /// Returns the result, or the input's own pixel data if the gain is below `minimumGain`.
    func smaller(
        _ result: EncodedImage, minimumGain: Double, keeping warnings: [String]
    ) throws(PipelineError) -> EncodedImage {
        let original = try original()
        if isGain(result.bytes.count, over: original.count, minimumGain) { return result }
        if let bytes = try optimized(), bytes.count < original.count {
            var result = encoded(bytes, size: source.info.size, warnings: warnings)
            result.route = .recompress
            return result
        }
        return encoded(original, size: source.info.size, isKept: true, warnings: warnings)
    }

    /// Returns the result, or the input with its profile if the colours were converted only to omit the profile and that
    /// made the file larger.
    func smallerThanWithProfile(
        _ result: EncodedImage, keeping warnings: [String]
    ) throws(PipelineError) -> EncodedImage {
        guard plan.changesOnlyColors, recipe.output.compresses, recipe.output.keepsSmallerOriginal, !isDamaged(warnings)
        else { return result }
        let original = try original(keepsColor: true)
        if result.bytes.count < original.count { return result }
        let note = "the colour profile was kept: without it the file would be larger"
        return encoded(original, size: source.info.size, isKept: true, warnings: warnings + [note])
    }

    /// Returns the input's own pixel data if they are within the limit.
    func keptOriginal(within limit: Int?, _ warnings: [String]) throws(PipelineError) -> EncodedImage? {
        let original = try original()
        guard original.count <= limit ?? .max else { return nil }
        var kept = encoded(original, size: source.info.size, isKept: true, warnings: warnings)
        kept.score = recipe.output.target.score == nil ? nil : 100
        kept.searchSummary = "the input's own pixels"
        return kept
    }

    /// Whether rows may be missing, so that the input's own bytes must not be copied. Only the strictness `none` accepts
    /// such images.
    func isDamaged(_ warnings: [String]) -> Bool { strictness == .none && !warnings.isEmpty }

    /// Returns the input's pixel data with the metadata that the policy keeps.
    func original(keepsColor: Bool? = nil) throws(PipelineError) -> [UInt8] {
        try PipelineError.wrapping { () throws(CodecError) in
            try source.rewritten(
                metadata: writtenMetadata(source.info.metadata, size: source.info.size),
                keeping: keptParts(keepsColor: keepsColor ?? (recipe.output.metadata != .none)), stopCheck: stopCheck)
        }
    }

    /// Returns the result, unless only the orientation changed the pixels and the result is larger than the input.
    ///
    /// In that case returns the first of these that is not larger: moved coefficients; an encoding with balanced effort;
    /// the pixels as stored, with the orientation as a tag.
    func withoutGrowth(_ result: EncodedImage) throws(PipelineError) -> EncodedImage {
        let info = source.info
        guard recipe.output.compresses, recipe.output.keepsSmallerOriginal, recipe.operations.isEmpty,
            recipe.appliesOrientation, info.orientation != .identity, plan.format == info.format,
            recipe.frame == nil || !info.isAnimation, !isDamaged(result.warnings)
        else { return result }
        let byteCount = try original().count
        if result.bytes.count <= byteCount { return result }
        var lossless = recipe
        (lossless.output.isLossless, lossless.output.quality, lossless.output.subsampling) = (true, nil, .automatic)
        lossless.output.target = EncodingTarget()
        if let moved = try replanned(lossless, ifRouteIs: .losslessTransform), moved.bytes.count <= byteCount {
            return moved
        }
        if plan.output.effort == .fast {
            var balanced = recipe
            balanced.output.effort = .balanced
            if let image = try replanned(balanced), image.bytes.count <= byteCount { return image }
        }
        var tagged = recipe
        tagged.appliesOrientation = false
        guard var kept = try replanned(tagged) else { return result }
        kept.warnings.append("the orientation was kept as a tag: the file would be larger with it applied")
        return kept
    }

    /// Returns the result of another recipe for the same source.
    ///
    /// - Parameter route: the only route that is taken; `nil` for any.
    /// - Returns: `nil` if the plan has another route.
    private func replanned(_ recipe: Recipe, ifRouteIs route: Route? = nil) throws(PipelineError) -> EncodedImage? {
        let plan: Plan
        do throws(PixelBufferError) {
            plan = try Planner.plan(recipe, for: .file(source.info), to: self.plan.result)
        } catch {
            throw .pixels(error)
        }
        guard route == nil || plan.route == route else { return nil }
        let processor = Processor(
            source, recipe: recipe, plan: plan, limits: limits, strictness: strictness, stopCheck: stopCheck,
            parallelism: parallelism)
        return try processor.process()
    }
}
