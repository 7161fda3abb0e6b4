/// Rows of samples with 16 bits: 256 times a colour of 0…255 that is multiplied by alpha, and 256 times alpha. The
/// order is that of the bytes of a pixel: blue, green, red, alpha.
enum SampleRow {
    /// Converts straight or opaque pixels to samples.
    static func widen(
        _ row: UnsafePointer<UInt32>, to samples: UnsafeMutablePointer<UInt16>, count: Int, isOpaque: Bool
    ) {
        if isOpaque {
            // The same as below, without multiplications and divisions.
            let bytes = UnsafeRawPointer(row).assumingMemoryBound(to: UInt8.self)
            for index in 0..<4 * count { samples[index] = UInt16(bytes[index]) << 8 }
            return
        }
        for x in 0..<count {
            let pixel = row[x]
            let alpha = pixel >> 24
            samples[4 * x] = widened(pixel & 255, alpha)
            samples[4 * x + 1] = widened(pixel >> 8 & 255, alpha)
            samples[4 * x + 2] = widened(pixel >> 16 & 255, alpha)
            samples[4 * x + 3] = UInt16(truncatingIfNeeded: alpha * 256)
        }
    }

    /// The dividend is at most 255 × 255 × 256 + 127, so the result is at most 255 × 256.
    @inline(__always)
    private static func widened(_ color: UInt32, _ alpha: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: (color &* alpha &* 256 &+ 127) / 255)
    }

    /// The weights of the first and the second of two neighbours in their mean.
    typealias Weights = (first: Double, second: Double)

    /// Writes the means of 2 × 2 pixels.
    ///
    /// - Parameters:
    ///   - upper: a row of `count` pixels.
    ///   - lower: the row after it.
    ///   - count: the number of pixels of each row.
    ///   - columnWeights: those of the last two columns, or of the last one if their number is odd. All others are
    ///     equal.
    ///   - rowWeights: those of the two rows.
    ///   - result: gets half as many pixels, rounded up.
    static func average(
        _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, count: Int, columnWeights: Weights,
        rowWeights: Weights, to result: UnsafeMutablePointer<UInt16>
    ) {
        let resultCount = (count + 1) / 2
        let plainCount =
            rowWeights.first != rowWeights.second
            ? 0
            : columnWeights.first != columnWeights.second ? resultCount - 1 : resultCount
        for x in 0..<plainCount {
            for channel in 8 * x..<8 * x + 4 {
                let first = UInt32(upper[channel]) &+ UInt32(upper[channel + 4])
                let second = UInt32(lower[channel]) &+ UInt32(lower[channel + 4])
                result[channel - 4 * x] = UInt16(truncatingIfNeeded: (first &+ second &+ 2) / 4)
            }
        }
        for x in plainCount..<resultCount {
            let weights: Weights = x == resultCount - 1 ? columnWeights : (1, 1)
            // With an odd number of columns, the last one has no neighbour, and the neighbour's weight is 0.
            let distance = 2 * x + 1 < count ? 4 : 0
            let sum = (weights.first + weights.second) * (rowWeights.first + rowWeights.second)
            for channel in 8 * x..<8 * x + 4 {
                let first = Double(upper[channel]) * weights.first + Double(upper[channel + distance]) * weights.second
                let second = Double(lower[channel]) * weights.first + Double(lower[channel + distance]) * weights.second
                let mean = (first * rowWeights.first + second * rowWeights.second) / sum
                result[channel - 4 * x] = UInt16(mean.rounded())
            }
        }
    }

    /// Converts samples to straight or opaque pixels. A transparent pixel is transparent black.
    static func narrow(
        _ samples: UnsafePointer<UInt16>, to row: UnsafeMutablePointer<UInt32>, count: Int, isOpaque: Bool
    ) {
        if isOpaque {
            // The same as below, without divisions.
            let bytes = UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt8.self)
            for index in 0..<4 * count { bytes[index] = UInt8(truncatingIfNeeded: (samples[index] &+ 128) >> 8) }
            return
        }
        for x in 0..<count {
            let alpha = UInt32(samples[4 * x + 3])
            // A sample is at most 255 × 256, which rounds to 255.
            let opacity = (alpha &+ 128) / 256
            if opacity == 0 {
                row[x] = 0
                continue
            }
            row[x] =
                opacity << 24 | narrowed(samples[4 * x + 2], alpha) << 16 | narrowed(samples[4 * x + 1], alpha) << 8
                | narrowed(samples[4 * x], alpha)
        }
    }

    /// A colour that is divided by alpha; at most 255, because a mean of colours may exceed that of their alphas by
    /// rounding.
    @inline(__always)
    private static func narrowed(_ color: UInt16, _ alpha: UInt32) -> UInt32 {
        min(255, (UInt32(color) &* 255 &+ alpha / 2) / alpha)
    }
}
