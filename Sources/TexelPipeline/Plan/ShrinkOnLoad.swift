import TexelPixels

/// Computes how much of a resize a JPEG decoder may do by decoding fewer DCT coefficients.
enum ShrinkOnLoad {
    /// The factor by which the filter must still shrink. The reduced DCT cuts off frequencies sharply; a filter that
    /// shrinks at least twofold hides this (libvips uses the same factor).
    static let remainingFactor = 2.0

    /// The largest of 8, 4, 2 and 1 that leaves the filter at least ``remainingFactor``.
    static func divisor(for resampling: Plan.Resampling, of stored: PixelSize) -> Int {
        // The DCT averages gamma-encoded samples, not linear light, and `nearest` promises pixels of the source.
        guard !resampling.usesLinearLight, resampling.filter != .nearest else { return 1 }
        // The edges of a crop need not fall on edges of shrunk pixels; those of the whole image always do.
        guard resampling.bounds == PixelRectangle(covering: stored) else { return 1 }
        let factor = min(
            resampling.sampled.width / Double(resampling.target.width),
            resampling.sampled.height / Double(resampling.target.height))
        return [8, 4, 2].first { factor / Double($0) >= remainingFactor } ?? 1
    }
}
