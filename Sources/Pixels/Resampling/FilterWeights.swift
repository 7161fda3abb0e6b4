package import TexelCore

/// An interval of an axis in source pixels; pixel `n` covers n ..< n + 1.
package struct SourceInterval: Sendable, Hashable {
    package var start: Double
    package var length: Double

    package init(start: Double, length: Double) {
        self.start = start
        self.length = length
    }
}

/// The source samples and integer weights of each output sample of one axis.
///
/// Output `i` is the sum of the `taps` samples from `starts[i]` on, multiplied by `weights[i * taps...]`, shifted right
/// by `shift`. Windows are inside the source, unless the source is shorter than `taps`: then every window starts at 0
/// and the caller pads its row with samples, whose weights are 0.
package struct FilterWeights: Sendable {
    package let starts: [Int32]
    package let taps: Int
    /// `taps` weights for each output sample; empty if ``isSelection``.
    package let weights: [Int16]
    /// The number of fraction bits: the weights of each output sample sum to exactly 1 << shift.
    package let shift: Int

    /// Whether each output sample equals one source sample.
    package var isSelection: Bool { weights.isEmpty }

    /// The range of source samples that any output sample needs.
    package let neededSamples: Range<Int>

    /// More than the side of any image, and small enough that indices fit `Int32` and tables fit memory.
    private static let longestAxis = 1 << 24

    /// Computes the weights that resample `interval` of a source of `sourceLength` samples to `outputLength` samples.
    ///
    /// - Parameters:
    ///   - maximumSample: 255, or 32767 for linear light. Determines the precision of the weights.
    ///   - tapMultiple: `taps` is rounded up to a multiple of this, with weights of 0.
    /// - Throws: `invalidTransform` if the interval is not inside the source, `resultTooLarge`.
    package init(
        sourceLength: Int, interval: SourceInterval, outputLength: Int, filter: ResamplingFilter,
        maximumSample: Int, tapMultiple: Int
    ) throws(TexelError) {
        guard sourceLength > 0, outputLength > 0, tapMultiple > 0, sourceLength <= Self.longestAxis,
            outputLength <= Self.longestAxis
        else { throw .resultTooLarge }
        let scale = interval.length / Double(outputLength)
        // An output sample may be partly outside the source; its window never is.
        guard interval.length > 0, interval.start > -scale,
            interval.start + interval.length < Double(sourceLength) + scale
        else { throw .invalidTransform("the region \(interval) is not inside the \(sourceLength) source pixels") }
        let isUnchanged = scale == 1 && interval.start == interval.start.rounded(.down)
        if filter == .nearest || isUnchanged {
            // Centres are often exactly between two pixels. Adding up the positions as Pillow does selects the same
            // pixel of the two.
            var center = interval.start + scale * 0.5
            let selected = (0..<outputLength).map { _ in
                defer { center += scale }
                return Int32(min(Int(center), sourceLength - 1))
            }
            self.init(selecting: selected)
            return
        }

        // When reducing, the kernel is stretched over the source; when enlarging, it keeps its width.
        let stretch = max(1, scale)
        let support = filter.support * stretch
        let windows = (0..<outputLength).map { index in
            let center = interval.start + (Double(index) + 0.5) * scale
            let first = min(max(0, Int(center - support + 0.5)), sourceLength - 1)
            let end = max(min(sourceLength, Int(center + support + 0.5)), first + 1)
            return Window(center: center, samples: first..<end)
        }
        let widest = windows.reduce(1) { max($0, $1.samples.count) }
        if widest == 1 {
            self.init(selecting: windows.map { Int32($0.samples.lowerBound) })
            return
        }
        let taps = (widest + tapMultiple - 1) / tapMultiple * tapMultiple
        let (count, overflow) = taps.multipliedReportingOverflow(by: outputLength)
        guard !overflow, count <= Int.max / MemoryLayout<Double>.stride else { throw .resultTooLarge }

        let lanczos3 = filter == .lanczos3 ? SteppedLanczos3(step: 1 / stretch, count: widest) : nil
        var exact = [Double](repeating: 0, count: count)
        var starts: [Int32] = []
        starts.reserveCapacity(outputLength)
        for (index, window) in windows.enumerated() {
            let start = max(0, min(window.samples.lowerBound, sourceLength - taps))
            starts.append(Int32(start))
            let firstTap = index * taps + window.samples.lowerBound - start
            exact.withUnsafeMutableBufferPointer { exact in
                // In bounds: a window's samples are at `start` or later, and fewer than `taps` from there.
                let weights = UnsafeMutableBufferPointer(
                    rebasing: exact[firstTap..<(firstTap + window.samples.count)])
                if let lanczos3 {
                    let first = (Double(window.samples.lowerBound) - window.center + 0.5) / stretch
                    lanczos3.fill(weights, from: first)
                } else {
                    for (tap, sample) in window.samples.enumerated() {
                        weights[tap] = filter.weight(at: (Double(sample) - window.center + 0.5) / stretch)
                    }
                }
                // Normalised after the window was clipped at the edge, so that edges keep their brightness.
                let sum = weights.reduce(0, +)
                if sum != 0 {
                    for tap in weights.indices { weights[tap] /= sum }
                } else {
                    weights[0] = 1
                }
            }
        }
        let (weights, shift) = Self.quantized(exact, taps: taps, maximumSample: maximumSample)
        self.init(starts: starts, taps: taps, weights: weights, shift: shift, sourceLength: sourceLength)
    }

    private struct Window {
        var center: Double
        var samples: Range<Int>
    }

    private init(selecting starts: [Int32]) {
        self.init(starts: starts, taps: 1, weights: [], shift: 0, sourceLength: .max)
    }

    private init(starts: [Int32], taps: Int, weights: [Int16], shift: Int, sourceLength: Int) {
        self.starts = starts
        self.taps = taps
        self.weights = weights
        self.shift = shift
        // Starts never decrease, so the first and the last window determine the range.
        let first = Int(starts.first ?? 0)
        self.neededSamples = first..<min(Int(starts.last ?? 0) + taps, sourceLength)
    }

    /// Converts weights to integers with as many fraction bits as fit.
    ///
    /// No sum can overflow: the kernels add `taps` products and one half to an `Int32`, in any order, and each partial
    /// sum is at most Σ|weight| × maximumSample + half, which is checked here for the final integers. It always fits at
    /// some shift, because Σ|weight| of all kernels is below 2 before scaling, and 2 × 2¹⁴ × 32767 < 2³¹.
    private static func quantized(_ exact: [Double], taps: Int, maximumSample: Int) -> ([Int16], Int) {
        var largest = 0.0
        for weight in exact where abs(weight) > largest { largest = abs(weight) }
        var shift = maximumSample > 255 ? 15 : 21
        while shift > 1, largest * Double(1 << shift) > Double(Int16.max) - 1 { shift -= 1 }
        while true {
            if let weights = quantized(exact, taps: taps, shift: shift, maximumSample: maximumSample) {
                return (weights, shift)
            }
            precondition(shift > 1, "the filter weights do not fit into Int16")
            shift -= 1
        }
    }

    /// Returns the weights times 1 << shift, or `nil` if a weight or a sum would not fit.
    private static func quantized(_ exact: [Double], taps: Int, shift: Int, maximumSample: Int) -> [Int16]? {
        let unit = Double(1 << shift)
        var weights = [Int16](repeating: 0, count: exact.count)
        for begin in stride(from: 0, to: exact.count, by: taps) {
            // Rounding the running sum carries each error into the next weight, so that the total is exact.
            var sum = 0.0
            var roundedSum = 0
            var magnitude = 0
            for tap in begin..<(begin + taps) {
                sum += exact[tap]
                let scaled = sum * unit
                // The same as `rounded()`, which would be a function call.
                let rounded = tap == begin + taps - 1 ? 1 << shift : Int(scaled + (scaled < 0 ? -0.5 : 0.5))
                guard let weight = Int16(exactly: rounded - roundedSum) else { return nil }
                weights[tap] = weight
                magnitude += abs(rounded - roundedSum)
                roundedSum = rounded
            }
            guard magnitude * maximumSample + 1 << (shift - 1) <= Int(Int32.max) else { return nil }
        }
        return weights
    }
}
