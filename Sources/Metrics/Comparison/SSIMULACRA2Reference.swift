public import TexelCore
public import TexelPixels

/// The original with which other images are compared by SSIMULACRA2 (version 2.1, Sneyers 2023), a perceptual metric of
/// image quality.
///
/// A score of 100 is indistinguishable from the original, 90 is visually lossless, 70 high quality, 50 medium, 30 low;
/// very bad images have negative scores. Images are compared at up to six scales in a perceptual colour space: by
/// structure, by new edges (ringing, blocking) and by lost edges (blur).
///
/// Scores are within 0.1 of the reference implementation, and the same on every processor and with any number of
/// threads. Several threads may use one reference at once.
///
/// - Colours are compared as sRGB; other profiles are converted.
/// - If both images have transparent pixels, they are composited on a dark grey (10 %) and on a light one (90 %), and
///   the worse score counts. If only one has, they are compared with alpha ignored, on white and on black, and the best
///   score counts.
/// - Sides below eight pixels, which the reference implementation rejects, are extended to eight by repeating the last
///   pixels.
public struct SSIMULACRA2Reference: Sendable {
    private let image: ComparisonImage

    /// Prepares the original.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public init(_ image: PixelBuffer) throws(TexelError) { self.image = try ComparisonImage(image) }

    /// The size of the original.
    public var size: PixelSize { image.size }

    /// Computes the score of an image.
    ///
    /// - Parameters:
    ///   - candidate: an image of the same size.
    ///   - threads: the most threads that share the work; the score does not depend on it.
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func score(of candidate: PixelBuffer, threads: Int = 1) throws(TexelError) -> Double {
        try score(of: candidate, threads: threads) { false } ?? 0
    }

    /// Computes the score; returns `nil` if `isStopped`, which is called every few milliseconds, returned true.
    package func score(
        of candidate: PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool
    ) throws(TexelError) -> Double? {
        let candidate = try ComparisonImage(candidate)
        guard candidate.size == image.size else { throw .sizesDiffer(image.size, candidate.size) }
        let backgrounds = image.backgrounds(with: candidate)
        var result: Double?
        for background in backgrounds.values {
            let comparison = SSIMULACRA2Comparison(image, candidate, background: background)
            guard let score = try comparison.score(threads: threads, isStopped: isStopped) else { return nil }
            result = backgrounds.bestCounts ? max(result ?? score, score) : min(result ?? score, score)
        }
        return result
    }
}

extension PixelBuffer {
    /// Computes the SSIMULACRA2 score of this image against its original. To compare several images with one original,
    /// ``SSIMULACRA2Reference`` is faster.
    ///
    /// - Parameters:
    ///   - original: an image of the same size.
    ///   - threads: the most threads that share the work; the score does not depend on it.
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func ssimulacra2(against original: PixelBuffer, threads: Int = 1) throws(TexelError) -> Double {
        try SSIMULACRA2Reference(original).score(of: self, threads: threads)
    }
}
