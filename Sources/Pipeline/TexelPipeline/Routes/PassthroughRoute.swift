import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Only metadata changes: the input's own pixel data are copied.
struct PassthroughRoute: PlannedRoute {
    static let route = Route.passthrough

    let image: PlannedImage
    /// Makes the result if the file is damaged.
    let fallback: BufferedRoute
    /// Makes the result if a file with several frames is damaged.
    let animatedFallback: AnimatedRoute?

    var encoding: PlannedEncoding? { nil }
    var steps: [any RowStep] { fallback.steps }

    var estimatedBytes: Int { 0 }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        guard let warnings = try context.warnings(beforeCopying: image.frame) else {
            if let animatedFallback { return try animatedFallback.run(context) }
            return try fallback.run(context)
        }
        return try OriginalFile(image, context).file(warnings: warnings)
    }

    var reason: String { "no pixel changes" }
    var explanation: [String] { ["load: all pixels"] }
}
