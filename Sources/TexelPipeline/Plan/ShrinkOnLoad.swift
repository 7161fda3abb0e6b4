import TexelPixels

/// How much of a resize a JPEG decoder may do, by decoding fewer DCT coefficients.
enum ShrinkOnLoad {
    /// What must be left for the filter to shrink. The reduced DCT cuts frequencies off sharply; a filter that still
    /// shrinks twofold hides that (libvips keeps the same rest).
    static let remainingFactor = 2.0

    /// The largest of 8, 4, 2 and 1 that leaves the filter its part.
    static func divisor(for resampling: Plan.Resampling, of stored: PixelSize) -> Int {
        // Light cannot be averaged in the DCT's domain, and `nearest` promises pixels that exist.
        guard !resampling.usesLinearLight, resampling.filter != .nearest else { return 1 }
        // A crop must be cut where the shrunken pixels have their edges; only the whole picture always is.
        guard resampling.bounds == PixelRectangle(covering: stored) else { return 1 }
        let factor = min(
            resampling.sampled.width / Double(resampling.target.width),
            resampling.sampled.height / Double(resampling.target.height))
        return [8, 4, 2].first { factor / Double($0) >= remainingFactor } ?? 1
    }
}
