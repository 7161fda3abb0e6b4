import PlatformLibc
import TexelPixels

/// The weights of Gaussian windows in 1/32,768. They are not negative and add up to exactly one, so that constant
/// images stay constant.
struct GaussianWeights: Sendable {
    private static let one = 32768

    /// The weight of the middle, and of the samples at a distance of 1, 2, … on each side.
    let weights: [Int16]

    var radius: Int { weights.count - 1 }

    /// The weights of all samples of a window, from the first to the last one.
    var window: [Int16] { weights.dropFirst().reversed() + weights }

    /// Computes exp(−k² / 2σ²) / Σ, up to a radius beyond which less than `tail` of the sum is left. A blur that is
    /// cut there differs from a complete one by at most `tail` of the range of samples in each direction.
    ///
    /// - Returns: `nil` if the blur is so small that the middle has all of the weight.
    init?(sigma: Double, tail: Double) {
        let farthest = max(1, Int((sigma * 8).rounded(.up)))
        let samples = (0...farthest).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        self.init(halves: samples, tail: tail)
    }

    /// Cuts a symmetric function, and normalises what is left.
    ///
    /// - Parameters:
    ///   - samples: the function at 0, 1, 2, …
    ///   - tail: the part of the sum that may be cut off, on both sides together.
    init?(halves samples: [Double], tail: Double) {
        // The sum of the samples from k on, on one side.
        var sums = samples
        for k in sums.indices.dropLast().reversed() { sums[k] += sums[k + 1] }
        let total = samples[0] + 2 * (sums[0] - samples[0])
        let radius = (sums.firstIndex { 2 * $0 < tail * total } ?? sums.count) - 1
        guard radius > 0 else { return nil }
        let cut = radius + 1 < sums.count ? sums[radius + 1] : 0
        let kept = total - 2 * cut
        // Rounds the sums instead of the weights, so that errors do not add up.
        let rounded = (1...radius).map { Int(((sums[$0] - cut) / kept * Double(Self.one)).rounded()) } + [0]
        guard rounded[0] > 0 else { return nil }
        weights =
            [Int16(Self.one - 2 * rounded[0])] + (0..<radius).map { Int16(rounded[$0] - rounded[$0 + 1]) }
    }
}
