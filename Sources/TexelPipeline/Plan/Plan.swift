public import TexelCodecs
import TexelFormats
public import TexelPixels

/// How one recipe is carried out for one image: a route, with what it needs.
public enum Plan: Sendable {
    /// Only metadata changes.
    case passthrough(PassthroughRoute)
    /// The samples or coefficients are compressed again.
    case recompress(RecompressRoute)
    /// The file is stored in one of another format, or restored from one.
    case transcode(TranscodeRoute)
    /// Coefficients are moved.
    case losslessTransform(LosslessTransformRoute)
    /// Planes are filtered and encoded without becoming pixels.
    case planar(PlanarRoute)
    /// Rows are filtered while they are decoded.
    case streaming(StreamingRoute)
    /// The whole image is decoded first.
    case buffered(BufferedRoute)
    /// The frames of an animation are processed one after another.
    case animated(AnimatedRoute)

    /// The route with what it needs.
    var planned: any PlannedRoute {
        switch self {
        case .passthrough(let route): route
        case .recompress(let route): route
        case .transcode(let route): route
        case .losslessTransform(let route): route
        case .planar(let route): route
        case .streaming(let route): route
        case .buffered(let route): route
        case .animated(let route): route
        }
    }

    /// The route over pixels that begins with decoding, which plans for the same image can share; `nil` for any other.
    var pixelRoute: (any PixelRoute)? {
        switch self {
        case .streaming(let route): route.encodesRows ? nil : route
        case .buffered(let route): route
        case .passthrough, .recompress, .transcode, .losslessTransform, .planar, .animated: nil
        }
    }

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
