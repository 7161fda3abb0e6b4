import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Rows flow from the decoder through a resize, through steps that need few rows at a time, or through both; the source
/// image is never in memory as a whole. If all steps are streamed and the encoder can, neither is the result.
struct StreamingRoute: PixelRoute {
    static let route = Route.streaming

    let image: PlannedImage
    let encoding: PlannedEncoding?
    let load: PixelLoad
    let shrink: Int
    let streamedSteps: [any RowStep]
    let steps: [any RowStep]
    /// Whether rows flow on to the encoder.
    let encodesRows: Bool

    var estimatedBytes: Int {
        let loaded = RasterShape(size: load.size, alphaMode: image.input.alphaMode)
        let held = StepSegment.segments(of: streamedSteps, for: loaded).map {
            Double(SegmentStream.heldRows(of: $0)) * Double(load.size.width * PixelBuffer.bytesPerPixel)
        }
        let result = encodesRows ? rowEncodingBytes : resultBytes
        return PlannedImage.wholeBytes(result + held.reduce(0, +))
    }

    private var rowEncodingBytes: Double {
        let encoding = (encoding?.encoding?.options as? any RowOptions)?.workingBytes(rowsOf: image.size) ?? 0
        return image.decodingBytes(shrink: shrink) + Double(encoding)
    }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        encodesRows ? try PixelFileWriter(self, context, keepsAllBits: false).fileOfRows() : try file(context)
    }

    var reason: String {
        if encodesRows { return "rows are encoded as they are made" }
        if case .resample = load { return "the resize reads rows from top to bottom" }
        return "the first step needs few rows at a time"
    }
}
