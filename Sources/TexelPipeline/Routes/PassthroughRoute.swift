import TexelCodecs
import TexelOperations
import TexelPixels

/// Only metadata changes: the input's own pixel data are copied.
public struct PassthroughRoute: PlannedRoute {
    static let route = Route.passthrough

    let image: PlannedImage
    /// Makes the result if the file is damaged.
    let fallback: BufferedRoute

    var encoding: PlannedEncoding? { nil }
    var steps: [any PixelStep] { fallback.steps }

    var estimatedBytes: Int { 0 }

    func run(_ context: RouteContext) throws(PipelineError) -> EncodedImage {
        guard try context.isSound(frame: image.frame) else { return try fallback.run(context) }
        return try OriginalFile(image, context).file()
    }

    var reason: String { "no pixel changes" }
    var explanation: [String] { ["load: all pixels"] }
}
