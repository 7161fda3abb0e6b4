import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// The whole image is decoded into one pixel buffer.
struct BufferedRoute: PixelRoute {
    static let route = Route.buffered

    let image: PlannedImage
    let encoding: PlannedEncoding?
    /// The part of the stored image that is kept.
    let rectangle: PixelRectangle
    let steps: [any RowStep]

    var load: PixelLoad { .decode(rectangle) }
    var streamedSteps: [any RowStep] { [] }

    var estimatedBytes: Int {
        let decoded = Double(image.input.size.pixelCount ?? .max) * Double(PixelBuffer.bytesPerPixel)
        return PlannedImage.wholeBytes(decoded + resultBytes)
    }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage { try file(context) }

    /// Makes the file.
    ///
    /// - Parameter keepsAllBits: whether 8 bits hold the file's samples exactly.
    func run(_ context: RouteContext, keepsAllBits: Bool) throws(TexelError) -> EncodedImage {
        try file(context, keepsAllBits: keepsAllBits)
    }

    var reason: String { "all pixels are decoded before the next step" }
}
