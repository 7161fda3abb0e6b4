import TexelCodecs
import TexelOperations
import TexelPixels

/// Rows flow from the decoder through a resize, through steps that need few rows at a time, or through both; the source
/// image is never in memory as a whole.
public struct StreamingRoute: PixelRoute {
    static let route = Route.streaming

    let image: PlannedImage
    let encoding: PlannedEncoding?
    let load: PixelLoad
    let shrink: Int
    let streamedSteps: [any RowStep]
    let steps: [any PixelStep]

    var estimatedBytes: Int {
        let loaded = RasterShape(size: load.size, alphaMode: image.input.hasAlpha ? .straight : .opaque)
        let held = StepSegment.segments(of: streamedSteps, for: loaded).map {
            Double(SegmentStream.heldRows(of: $0)) * Double(load.size.width * PixelBuffer.bytesPerPixel)
        }
        return PlannedImage.wholeBytes(resultBytes + held.reduce(0, +))
    }

    func run(_ context: RouteContext) throws(PipelineError) -> EncodedImage { try file(context) }

    var reason: String {
        if case .resample = load { return "the resize reads rows from top to bottom" }
        return "the first step needs few rows at a time"
    }
}
