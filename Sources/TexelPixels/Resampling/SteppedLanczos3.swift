#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The values of ``ResamplingFilter/lanczos3`` at evenly spaced places, with one sine and one cosine for a window.
///
/// All windows have the same step δ, so that sin(a + kδ) = sin a cos kδ + cos a sin kδ needs the sines of kδ only once.
struct SteppedLanczos3 {
    private let step: Double
    /// The most values of a window.
    private let count: Int
    /// The sines and cosines of -count < k < count steps.
    private let sines: [Double]
    private let cosines: [Double]

    init(step: Double, count: Int) {
        self.step = step
        self.count = count
        let angles = (1 - count..<count).map { Double($0) * .pi * step / 3 }
        self.sines = angles.map { sin($0) }
        self.cosines = angles.map { cos($0) }
    }

    /// Sets all of `values` to the kernel's values at `first`, `first + step`, …, all of them inside its support.
    func fill(_ values: UnsafeMutableBufferPointer<Double>, from first: Double) {
        precondition(values.count <= count)
        guard !values.isEmpty else { return }
        // Counted from the place nearest to the centre: where sines are small, none is the difference of larger ones.
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
        // Perhaps 0.
        values[nearest] = ResamplingFilter.lanczos3.weight(at: x)
    }
}
