public import TexelCodecs
import TexelFormats
public import TexelPixels

/// How one recipe is carried out for one image: a route, with what it needs.
public struct Plan: Sendable {
    /// The route with what it needs.
    let planned: any PlannedRoute

    init(_ planned: any PlannedRoute) { self.planned = planned }

    /// Why the result must not be made, as far as the header tells; `nil` if it may.
    package var refusal: CodecError? {
        planned is any PixelRoute ? image.recipe.refusalOfOneImage(of: image.input) : nil
    }

    /// What the plan knows about the image that it makes.
    var image: PlannedImage { planned.image }

    /// The recipe, with what searches for its trims found.
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
    func check(_ limits: Limits) throws(CodecError) {
        try limits.check(largestSize)
        try limits.checkPlan(estimatedBytes)
    }

    /// The EXIF orientation of the written pixels: identity once it has been applied.
    public var writtenOrientation: Orientation { image.writtenOrientation }
    /// Whether the geometry, colours or format change, so that the input's pixel data cannot be kept.
    public var changesPixels: Bool { image.changesPixels }
}

extension Planner {
    /// Makes a plan that observes limits.
    ///
    /// - Parameters:
    ///   - largestShrink: the largest number by which the decoder may divide both sides.
    ///   - sharesDecode: whether several results share decoded pixels. They cannot share decoded planes, or rows that
    ///     are encoded as they are made.
    /// - Throws: `pixels` if an operation cannot be applied; `codec(.limitExceeded)`.
    static func plan(
        _ recipe: Recipe, for input: ImageInfo, to result: PlanResult, limits: Limits, largestShrink: Int = 8,
        sharesDecode: Bool = false
    ) throws(PipelineError) -> Plan {
        let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
            try self.plan(
                recipe, for: input, to: result,
                routes: sharesDecode ? Set(Route.allCases).subtracting([.planar]) : Set(Route.allCases),
                largestShrink: largestShrink, leastPixelsForRows: sharesDecode ? nil : leastPixelsForRows)
        }
        try PipelineError.wrapping { () throws(CodecError) in try plan.check(limits) }
        return plan
    }
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
