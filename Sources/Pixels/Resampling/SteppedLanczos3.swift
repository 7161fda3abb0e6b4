import PlatformLibc

/// Computes the values of ``ResamplingFilter/lanczos3`` at evenly spaced positions, with one sine and one cosine per
/// window.
///
/// All windows have the same step δ, so the sines of kδ in sin(a + kδ) = sin a cos kδ + cos a sin kδ are computed only
/// once.
struct SteppedLanczos3 {
    private let step: Double
    /// The most values of a window.
    private let count: Int
    /// The sines and cosines of k steps, -count < k < count.
    private let sines: [Double]
    private let cosines: [Double]

    init(step: Double, count: Int) {
        self.step = step
        self.count = count
        let angles = (1 - count..<count).map { Double($0) * .pi * step / 3 }
        self.sines = angles.map { sin($0) }
        self.cosines = angles.map { cos($0) }
    }

    /// Sets `values` to the kernel's values at `first`, `first + step`, …, which must be inside its support.
    func fill(_ values: UnsafeMutableBufferPointer<Double>, from first: Double) {
        precondition(values.count <= count)
        guard !values.isEmpty else { return }
        // Relative to the position nearest to the centre: there small sines are not the differences of larger numbers.
        let nearest = min(max(0, Int((-first / step).rounded())), values.count - 1)
        let x = first + Double(nearest) * step
        let angle = .pi * x / 3
        let (sine, cosine) = (sin(angle), cos(angle))
        sines.withUnsafeBufferPointer { sines in
            cosines.withUnsafeBufferPointer { cosines in
                let begin = count - 1 - nearest
                for index in 0..<values.count {
                    values[index] = ResamplingFilter.windowedSinc3(
                        angle: .pi / 3 * (first + Double(index) * step),
                        sine: sine * cosines[begin + index] + cosine * sines[begin + index])
                }
            }
        }
        // The position may be exactly 0, where the formula divides by zero.
        values[nearest] = ResamplingFilter.lanczos3.weight(at: x)
    }
}
