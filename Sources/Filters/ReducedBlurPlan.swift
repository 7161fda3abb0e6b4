import PlatformLibc
import TexelPixels

/// The weights of a Gaussian blur on a reduced image.
///
/// The image is reduced by a whole factor with a quadratic B-spline, blurred, and enlarged with the same spline. The
/// spline's spectrum, that of three boxes of `factor` pixels, is almost zero near the multiples of the reduced sampling
/// rate, and the blur removes what is left. Within the band the blur in the middle undoes what the two splines do, so
/// that all three together are the Gaussian:
///
///     H(u) = exp(−2π² (σ / factor)² u²) / D(u)⁶, D(u) = sin(πu) / (factor × sin(πu / factor))
///
/// for u in cycles per reduced pixel. See Unser, Aldroubi and Eden 1993, "The L2 polynomial spline pyramid".
struct ReducedBlurPlan: Sendable {
    private static let largestFactor = 32
    /// The spline overlaps this many reduced pixels.
    static let overlap = 3

    let factor: Int
    /// The spline, in 1/32,768: reduced pixel i is the weighted sum of as many pixels from i × `factor` on.
    let spline: [Int16]
    /// The blur of the reduced image.
    let blur: GaussianWeights
    /// The weights of the reduced pixels i − 2, i − 1 and i for each of the `factor` pixels from i × `factor` on.
    let phases: [[Int16]]

    /// Chooses the factor: the smaller the blur on the reduced image, the more is left of the repeated spectrum. With a
    /// standard deviation of two reduced pixels it is less than a quarter of a step of eight bits. A reduced image is
    /// faster than a window from a standard deviation of 3.5 on.
    ///
    /// - Parameter sigma: the standard deviation in pixels, more than ``BlurPrecision/smallestReducedSigma``.
    init(sigma: Double, _ precision: BlurPrecision) {
        factor = min(Self.largestFactor, max(2, Int(sigma / precision.reducedSigma)))
        let spline = Self.spline(factor: factor)
        self.spline = Self.rounded(spline)
        phases = (0..<factor).map { [factor] phase in
            Self.rounded(
                (0..<Self.overlap).map { tap in
                    let index = phase + (Self.overlap - 1 - tap) * factor
                    return index < spline.count ? spline[index] * Double(factor) : 0
                })
        }
        blur = Self.blur(sigma: sigma / Double(factor), factor: factor)
    }

    /// The rows of the source on which rows of the result depend. They may be outside the image.
    func sourceRows(for rows: Range<Int>) -> Range<Int> {
        let first = rows.lowerBound / factor - (Self.overlap - 1) - blur.radius
        let last = (rows.upperBound - 1) / factor + blur.radius
        return (first * factor)..<(last * factor + spline.count)
    }

    /// Three boxes of `factor` samples, convolved. The sum is one.
    private static func spline(factor: Int) -> [Double] {
        var result = [1.0]
        for _ in 0..<overlap {
            var next = [Double](repeating: 0, count: result.count + factor - 1)
            for (index, value) in result.enumerated() {
                for offset in 0..<factor { next[index + offset] += value / Double(factor) }
            }
            result = next
        }
        return result
    }

    /// Rounds weights with a sum of one to 1/32,768: their partial sums, so that errors do not add up.
    private static func rounded(_ weights: [Double]) -> [Int16] {
        var (sum, previous) = (0.0, 0)
        return weights.enumerated().map { index, weight in
            sum += weight
            let next = index == weights.count - 1 ? 32768 : Int((sum * 32768).rounded())
            defer { previous = next }
            return Int16(next - previous)
        }
    }

    /// Transforms H(u) to samples.
    private static func blur(sigma: Double, factor: Int) -> GaussianWeights {
        let radius = Int((6 * sigma).rounded(.up))
        // Enough frequencies that the periods of the result do not overlap; the spectrum ends long before 1/2.
        let count = 4 * radius
        let spectrum = (0..<count).map { index in
            let u = (Double(index) + 0.5) / Double(2 * count)
            let spline = sin(.pi * u) / (Double(factor) * sin(.pi * u / Double(factor)))
            return exp(-2 * .pi * .pi * sigma * sigma * u * u) / (spline * spline * spline * spline * spline * spline)
        }
        let samples = (0...radius).map { k in
            let sum = spectrum.enumerated().reduce(0.0) { sum, element in
                let u = (Double(element.offset) + 0.5) / Double(2 * count)
                return sum + element.element * cos(2 * .pi * u * Double(k))
            }
            return max(0, sum / Double(count))
        }
        guard let weights = GaussianWeights(halves: samples, tail: 1.0 / 16384) else {
            preconditionFailure("a blur of \(sigma) pixels has neighbours")
        }
        return weights
    }
}
