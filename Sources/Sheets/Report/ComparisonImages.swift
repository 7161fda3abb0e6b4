import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

/// The images that a report shows for one file: the original and the result.
struct ComparisonImages: Sendable {
    struct Pair: Sendable {
        /// The data URL of the original.
        var before: String
        /// The data URL of the result.
        var after: String
        /// The size of both in pixels.
        var size: PixelSize
    }

    /// The SSIMULACRA2 score; `nil` if it could not be computed.
    var score: Double?
    /// The size of the result in pixels.
    var size: PixelSize
    /// Both images, scaled down if they are large.
    var whole: Pair
    var isShrunk: Bool
    /// The region with the greatest difference, at full resolution.
    var detail: Pair?
    /// The rectangle of ``detail``.
    var place: PixelRectangle?

    /// Compares the two images and encodes them for the page, on the calling thread.
    ///
    /// - Parameters:
    ///   - original: The image before encoding. It is resized to the size of `result`.
    ///   - result: The image after encoding.
    ///   - knownScore: The score if it is already known.
    ///   - budget: The sizes and qualities of the images.
    /// - Throws: errors of pixels, errors of the codec.
    init(
        _ original: PixelBuffer, _ result: PixelBuffer, knownScore: Double?, budget: EvidenceBudget
    ) throws(TexelError) {
        let after = try Self.shown(result, to: result.size)
        let before = try Self.shown(original, to: result.size)
        let comparison = (try before.premultiplied(), try after.premultiplied())
        score =
            if let knownScore { knownScore } else if comparison.0 == comparison.1 { 100 } else {
                try? after.ssimulacra2(against: before)
            }
        size = after.size
        isShrunk = max(size.width, size.height) > budget.wholeSide
        guard isShrunk else {
            // Small enough to be shown at full size.
            whole = Pair(
                before: try EmbeddedImage(before, quality: budget.detailQuality).address,
                after: try EmbeddedImage(after, quality: budget.detailQuality).address, size: size)
            return
        }
        let shrunk = Self.shrunk(size, to: budget.wholeSide)
        whole = Pair(
            before: try EmbeddedImage(try Self.shown(before, to: shrunk), quality: 85).address,
            after: try EmbeddedImage(try Self.shown(after, to: shrunk), quality: 85).address, size: shrunk)
        guard let side = budget.detailSide else { return }
        let place = DetailPlace.greatestDifference(comparison.0, comparison.1, side: side)
        let parts = (try before.cropped(to: place), try after.cropped(to: place))
        let detail = Pair(
            before: try EmbeddedImage(parts.0, quality: budget.detailQuality).address,
            after: try EmbeddedImage(parts.1, quality: budget.detailQuality).address, size: place.size)
        // Noise compresses several times worse than photographs.
        guard (detail.before.utf8.count + detail.after.utf8.count) / 4 * 3 <= 3 * budget.byteLimit else { return }
        self.detail = detail
        self.place = place
    }

    /// Converts an image to straight sRGB of a size.
    private static func shown(_ image: PixelBuffer, to size: PixelSize) throws(TexelError) -> PixelBuffer {
        try image.unpremultiplied().convertedToSRGB().resized(to: size)
    }

    private static func shrunk(_ size: PixelSize, to side: Int) -> PixelSize {
        let longest = max(size.width, size.height)
        return PixelSize(width: max(1, size.width * side / longest), height: max(1, size.height * side / longest))
    }
}
