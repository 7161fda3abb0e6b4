import TexelOperations
import TexelPipeline
import TexelPixels

extension PixelLoad {
    /// The same load of an image that is stored narrower or wider than it is shown, because its pixels are not square.
    /// The result is unchanged; a load without scaling becomes one that scales to square pixels.
    ///
    /// - Parameters:
    ///   - stored: The size of the image as stored.
    ///   - shown: The size that this load is for.
    func applied(to stored: PixelSize, shownAs shown: PixelSize) -> PixelLoad {
        guard stored != shown else { return self }
        let (x, y) = (
            Double(stored.width) / Double(shown.width), Double(stored.height) / Double(shown.height)
        )
        var scaled: Resampling
        switch self {
        case .decode(let rectangle):
            scaled = Resampling(
                bounds: rectangle, sampled: FractionalRectangle(covering: rectangle.size), target: rectangle.size,
                filter: .lanczos3, usesLinearLight: false,
                order: PassOrder(source: rectangle.size, target: rectangle.size))
        case .resample(let resampling): scaled = resampling
        }
        // The bounds in stored pixels, rounded outwards: they hold all that the filter may read.
        let bounds = scaled.bounds
        let left = Int((Double(bounds.x) * x).rounded(.down)), top = Int((Double(bounds.y) * y).rounded(.down))
        let right = min(stored.width, Int((Double(bounds.x + bounds.width) * x).rounded(.up)))
        let bottom = min(stored.height, Int((Double(bounds.y + bounds.height) * y).rounded(.up)))
        scaled.bounds = PixelRectangle(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
        let sampled = scaled.sampled
        scaled.sampled = FractionalRectangle(
            x: (Double(bounds.x) + sampled.x) * x - Double(left), y: (Double(bounds.y) + sampled.y) * y - Double(top),
            width: sampled.width * x, height: sampled.height * y)
        return .resample(scaled)
    }
}
