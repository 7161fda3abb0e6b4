import TexelCodecs
import TexelOperations
import TexelPixels

/// Rows flow from the decoder through the filter; the source image is never in memory as a whole.
public struct StreamingRoute: PixelRoute {
    static let route = Route.streaming

    let image: PlannedImage
    let encoding: PlannedEncoding?
    let resampling: Resampling
    let shrink: Int
    let steps: [any PixelStep]

    var load: PixelLoad { .resample(resampling) }

    var estimatedBytes: Int { PlannedImage.wholeBytes(resultBytes) }

    func run(_ context: RouteContext) throws(PipelineError) -> EncodedImage { try file(context) }

    var reason: String { "the resize reads rows from top to bottom" }
}
