import TexelOperations
import TexelPixels

/// Computes how much of a resize a decoder may do, such as by decoding fewer DCT coefficients.
enum ShrinkOnLoad {
    /// The factor by which the filter must still shrink. The reduced DCT cuts off frequencies sharply; a filter that
    /// shrinks at least twofold hides this (libvips uses the same factor).
    static let remainingFactor = 2.0

    /// Returns the largest of the decoder's scales that leaves the filter at least ``remainingFactor``.
    static func divisor(for resampling: Resampling, of stored: PixelSize, among scales: [Int]) -> Int {
        // The DCT averages gamma-encoded samples, not linear light, and `nearest` promises pixels of the source.
        guard !resampling.usesLinearLight, resampling.filter != .nearest else { return 1 }
        // The edges of a crop need not fall on edges of shrunk pixels; those of the whole image always do.
        guard resampling.bounds == PixelRectangle(covering: stored) else { return 1 }
        let factor = min(
            resampling.sampled.width / Double(resampling.target.width),
            resampling.sampled.height / Double(resampling.target.height))
        return scales.filter { factor / Double($0) >= remainingFactor }.max() ?? 1
    }
}
