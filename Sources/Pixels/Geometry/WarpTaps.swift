/// The filter's weights in the two forms that a warp needs: precomputed sets for sampling at 1:1, and the filter curve
/// for sampling that reduces the image.
struct WarpTaps: Sendable {
    /// The number of positions between two pixels; half a step shifts an edge by 1/512 pixel.
    static let phases = 256
    /// The number of values of the curve per pixel of distance.
    static let curveSteps = 256
    /// The widest kernel, as a multiple of the filter's width. One axis may shrink by 64, or both by 16; beyond that a
    /// nearly edge-on image aliases instead of taking minutes.
    static let widest = 64.0
    static let widestProduct = 256.0
    /// Up to this scale a kernel is not widened.
    static let unwidened = 1.01

    /// The number of pixels on either side in the precomputed sets.
    let radius: Int
    /// `phases` sets of 2 × radius weights, each with the sum 1.
    let sets: [Float]
    /// The curve at distance `index / curveSteps`; ends with a zero beyond the support.
    let curve: [Float]
    let support: Double
    /// Whether the kernel is widened; `nearest` copies one pixel at any scale.
    let widens: Bool

    init(_ filter: ResamplingFilter) {
        support = filter.support
        widens = filter != .nearest
        let radius = max(1, Int(filter.support.rounded(.up)))
        self.radius = radius
        // The taps of a point are from radius - 1 pixels before the pixel on its left to radius pixels after it.
        sets = (0..<Self.phases).flatMap { phase in
            let fraction = Double(phase) / Double(Self.phases)
            let weights = (0..<(2 * radius)).map { filter.weight(at: Double($0 - (radius - 1)) - fraction) }
            let sum = weights.reduce(0, +)
            return weights.map { Float($0 / sum) }
        }
        let curveEnd = Int((filter.support * Double(Self.curveSteps)).rounded(.up))
        curve = (0...curveEnd).map { Float(filter.weight(at: Double($0) / Double(Self.curveSteps))) } + [0]
    }

    /// The largest number of taps that ``widen(curve:support:around:by:into:)`` writes.
    var largestCount: Int { max(2 * radius, Int(2 * support * Self.widest) + 3) }

    /// The largest number of pixels under two sets of taps: with scales m and n, (2 s m + 3)(2 s n + 3), where m and n
    /// are at most `widest` and their product at most `widestProduct`. The maximum is at one of them equal to `widest`.
    var largestPatch: Int {
        let other = max(2 * radius, Int(2 * support * Self.widestProduct / Self.widest) + 3)
        return largestCount * other
    }

    /// Writes the weights, with the sum 1, of a kernel that is `scale` times as wide, around `position` in pixels
    /// (pixel i has its centre at i). Returns the first pixel and the number of taps.
    @inline(__always)
    static func widen(
        curve: UnsafeBufferPointer<Float>, support: Double, around position: Double, by scale: Double,
        into weights: UnsafeMutablePointer<Float>
    ) -> (first: Int, count: Int) {
        let first = Int((position - support * scale).rounded(.up))
        let last = max(first, Int((position + support * scale).rounded(.down)))
        let step = Double(curveSteps) / scale
        var sum: Float = 0
        for pixel in first...last {
            let index = Int(abs(Double(pixel) - position) * step + 0.5)
            let weight = curve[min(index, curve.count - 1)]
            weights[pixel - first] = weight
            sum += weight
        }
        let count = last - first + 1
        // A box between two pixels may include neither; use the nearer one.
        if sum == 0 {
            weights[0] = 1
            return (Int(position.rounded()), 1)
        }
        for index in 0..<count { weights[index] /= sum }
        return (first, count)
    }
}
