import TexelCodecs
import TexelPipeline
import TexelPixels

/// What a report shows of a picture: the one that was encoded, and what became of it.
struct PictureEvidence: Sendable {
    struct Pair: Sendable {
        /// Addresses that are the pictures themselves.
        var before: String
        var after: String
        var size: PixelSize
    }

    /// SSIMULACRA2; `nil` where it could not be found out.
    var score: Double?
    /// Of both.
    var size: PixelSize
    /// Shrunk, unless it was small.
    var whole: Pair
    var isShrunk: Bool
    /// Where they differ most, pixel by pixel.
    var detail: Pair?
    var place: PixelRectangle?

    /// Compares and encodes, on the thread that calls it.
    ///
    /// - Parameters:
    ///   - original: the picture that was encoded; where the other came out at another size, it is resized to that.
    ///   - knownScore: what a search for a score found already.
    /// - Throws: `pixels`, `codec`.
    init(
        _ original: PixelBuffer, _ result: PixelBuffer, knownScore: Double?, budget: EvidenceBudget
    ) throws(PipelineError) {
        let after = try Self.shown(result, to: result.size)
        let before = try Self.shown(original, to: result.size)
        let comparison = try PipelineError.wrapping { () throws(PixelBufferError) in
            (try before.premultiplied(), try after.premultiplied())
        }
        score =
            if let knownScore { knownScore } else if comparison.0 == comparison.1 { 100 } else {
                try? after.ssimulacra2(against: before)
            }
        size = after.size
        isShrunk = max(size.width, size.height) > budget.wholeSide
        guard isShrunk else {
            // Small enough to be shown as it is.
            whole = Pair(
                before: try EmbeddedPicture(before, quality: budget.detailQuality).address,
                after: try EmbeddedPicture(after, quality: budget.detailQuality).address, size: size)
            return
        }
        let shrunk = Self.shrunk(size, to: budget.wholeSide)
        whole = Pair(
            before: try EmbeddedPicture(try Self.shown(before, to: shrunk), quality: 85).address,
            after: try EmbeddedPicture(try Self.shown(after, to: shrunk), quality: 85).address, size: shrunk)
        guard let side = budget.detailSide else { return }
        let place = DetailPlace.greatestDifference(comparison.0, comparison.1, side: side)
        let parts = try PipelineError.wrapping { () throws(PixelBufferError) in
            (try before.cropped(to: place), try after.cropped(to: place))
        }
        let detail = Pair(
            before: try EmbeddedPicture(parts.0, quality: budget.detailQuality).address,
            after: try EmbeddedPicture(parts.1, quality: budget.detailQuality).address, size: place.size)
        // Noise takes several times what a photograph does.
        guard (detail.before.utf8.count + detail.after.utf8.count) / 4 * 3 <= 3 * budget.byteLimit else { return }
        self.detail = detail
        self.place = place
    }

    /// sRGB, straight, of a size.
    private static func shown(_ picture: PixelBuffer, to size: PixelSize) throws(PipelineError) -> PixelBuffer {
        try PipelineError.wrapping { () throws(PixelBufferError) in
            try picture.unpremultiplied().convertedToSRGB().resized(to: size)
        }
    }

    private static func shrunk(_ size: PixelSize, to side: Int) -> PixelSize {
        let longest = max(size.width, size.height)
        return PixelSize(width: max(1, size.width * side / longest), height: max(1, size.height * side / longest))
    }
}
