import PlatformLibc
public import TexelCore
public import TexelPixels

/// Measures of the samples of an image.
///
/// Colours are straight samples, 0…255, in the image's own colour space. Fully transparent pixels have no colour and
/// are left out of ``red``, ``green``, ``blue``, ``luma`` and ``lumaEntropy``; every other pixel counts once, whatever
/// its alpha is.
public struct ImageStatistics: Sendable, Hashable {
    /// The measures of one channel.
    public struct Channel: Sendable, Hashable, Codable {
        /// The arithmetic mean.
        public var mean: Double
        /// The standard deviation of all samples, not an estimate from a part of them.
        public var standardDeviation: Double
        /// The smallest sample.
        public var minimum: Int
        /// The largest sample.
        public var maximum: Int

        /// Computes the measures from the number of pixels with each value.
        ///
        /// - Returns: `nil` if all numbers are 0.
        init?(counts: [Int]) {
            guard let minimum = counts.firstIndex(where: { $0 > 0 }), let maximum = counts.lastIndex(where: { $0 > 0 })
            else { return nil }
            let count = Double(counts.reduce(0, +))
            let mean = counts.enumerated().reduce(0) { $0 + Double($1.offset) * Double($1.element) } / count
            let squares = counts.enumerated().reduce(0) { sum, bin in
                sum + (Double(bin.offset) - mean) * (Double(bin.offset) - mean) * Double(bin.element)
            }
            (self.mean, self.minimum, self.maximum) = (mean, minimum, maximum)
            standardDeviation = (squares / count).squareRoot()
        }
    }

    /// The measures of red; `nil` if the image is fully transparent.
    public var red: Channel?
    /// The measures of green; `nil` if the image is fully transparent.
    public var green: Channel?
    /// The measures of blue; `nil` if the image is fully transparent.
    public var blue: Channel?
    /// The measures of luma, which ``ImageHistogram/luma`` defines; `nil` if the image is fully transparent.
    public var luma: Channel?
    /// The measures of alpha, of all pixels.
    public var alpha: Channel
    /// The entropy of the distribution of luma in bits, 0…8: −Σ p log₂ p (C. E. Shannon, "A Mathematical Theory of
    /// Communication", 1948). It is 0 for one shade, and for a fully transparent image.
    public var lumaEntropy: Double
    /// Whether every alpha sample is 255.
    public var isOpaque: Bool

    /// Computes the measures from a histogram.
    ///
    /// - Returns: `nil` if the histogram counts no pixels.
    public init?(_ histogram: ImageHistogram) {
        guard let alpha = Channel(counts: histogram.alpha) else { return nil }
        self.alpha = alpha
        red = Channel(counts: histogram.red)
        green = Channel(counts: histogram.green)
        blue = Channel(counts: histogram.blue)
        luma = Channel(counts: histogram.luma)
        let count = Double(histogram.visiblePixelCount)
        lumaEntropy = histogram.luma.reduce(0) { sum, bin in
            guard bin > 0 else { return sum }
            let share = Double(bin) / count
            return sum - share * log2(share)
        }
        isOpaque = alpha.minimum == 255
    }
}

extension PixelBuffer {
    /// Measures the samples: mean, standard deviation, minimum and maximum of each channel, and the entropy of luma.
    ///
    /// - Parameter threads: the maximum number of threads, including the calling one. The result does not depend on it.
    /// - Throws: `outOfMemory` if a premultiplied image cannot be converted.
    public func statistics(threads: Int = 1) throws(TexelError) -> ImageStatistics {
        guard let statistics = ImageStatistics(try histogram(threads: threads)) else { throw .invalidSize(size) }
        return statistics
    }
}
