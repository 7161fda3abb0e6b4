import TexelCodecs

/// The meaning of a quality that all formats share, in libaom's numbers.
///
/// Measured with libaom 3.6 at the effort `balanced`, over eight photographs (six of Kodak's, two larger ones): the
/// mean SSIMULACRA2 score at each quality is that of Texel's JPEGs.
enum AVIFQuality {
    /// The measurements at a quality.
    private struct Entry {
        let quality: Int
        /// The quantizer with chroma of half the resolution.
        let halved: Double
        /// The quantizer with chroma of full resolution.
        let whole: Double
        /// The SSIMULACRA2 score.
        let score: Double
        /// The natural logarithm of the number of bytes, in relation to the quality 80.
        let size: Double
    }

    private static let measured = [
        Entry(quality: 1, halved: 63, whole: 63, score: -57, size: -3.7),
        Entry(quality: 10, halved: 55.2, whole: 55.7, score: -14.8, size: -2.57),
        Entry(quality: 20, halved: 43.8, whole: 44.7, score: 28.5, size: -1.62),
        Entry(quality: 30, halved: 37.8, whole: 39, score: 46.2, size: -1.14),
        Entry(quality: 35, halved: 35.8, whole: 37.1, score: 51.5, size: -0.99),
        Entry(quality: 40, halved: 34.1, whole: 35.3, score: 55.6, size: -0.86),
        Entry(quality: 50, halved: 31.2, whole: 32.5, score: 61.8, size: -0.66),
        Entry(quality: 60, halved: 28.7, whole: 30.2, score: 65.9, size: -0.5),
        Entry(quality: 65, halved: 26.7, whole: 28.5, score: 68.9, size: -0.38),
        Entry(quality: 70, halved: 25.3, whole: 26.9, score: 71.1, size: -0.29),
        Entry(quality: 75, halved: 23.5, whole: 25.2, score: 73.6, size: -0.18),
        Entry(quality: 80, halved: 19.2, whole: 21.6, score: 77.1, size: 0),
        Entry(quality: 85, halved: 15.7, whole: 17.7, score: 80, size: 0.16),
        Entry(quality: 90, halved: 11.2, whole: 13.1, score: 83.8, size: 0.4),
        Entry(quality: 93, halved: 8.3, whole: 10.1, score: 86.3, size: 0.6),
        Entry(quality: 95, halved: 6.1, whole: 7.8, score: 88.2, size: 0.78),
        Entry(quality: 98, halved: 1.3, whole: 2.7, score: 92.5, size: 1.4),
        Entry(quality: 100, halved: 1, whole: 1, score: 93.7, size: 1.78),
    ]

    /// The quality from which automatic chroma has full resolution: it takes 3 % fewer bytes there at the same score.
    static let wholeChroma = 90

    /// Returns the quantizer of a quality: 1 (the best) to 63. 0 is lossless.
    static func quantizer(_ quality: Int, hasWholeChroma: Bool, _ effort: Effort) -> Int {
        let (low, high, part) = place(quality)
        let (a, b) = hasWholeChroma ? (low.whole, high.whole) : (low.halved, high.halved)
        return min(63, max(1, Int(quantizer(a + part * (b - a), effort).rounded())))
    }

    /// Returns the quantizer that gives the score of `balanced` at a quantizer of `balanced`. Measured at 8, 20, 31 and
    /// 41 with six photographs.
    private static func quantizer(_ balanced: Double, _ effort: Effort) -> Double {
        switch effort {
        case .fast: 0.93 * balanced
        case .balanced: balanced
        case .best: balanced + min(1.5, 0.2 * balanced)
        }
    }

    /// Returns the quantizer of an alpha quality, 0…100.
    static func alphaQuantizer(_ quality: Int) -> Int {
        quality >= 100 ? 0 : quantizer(quality, hasWholeChroma: false, .balanced)
    }

    /// Returns the typical score and the logarithm of the typical size at a quality.
    static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let (low, high, part) = place(quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }

    /// Finds the entries around a quality, and its place between them. The quality 0 is like 1.
    private static func place(_ quality: Int) -> (low: Entry, high: Entry, part: Double) {
        let quality = max(1, quality)
        let high = max(1, measured.firstIndex { $0.quality >= quality } ?? measured.count - 1)
        let (first, last) = (measured[high - 1], measured[high])
        return (first, last, Double(quality - first.quality) / Double(last.quality - first.quality))
    }
}
