/// A measure of image quality that an ``EncodingTarget`` can require.
public enum TargetMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// SSIMULACRA2: up to 100, which cannot be told from the original; see `SSIMULACRA2Reference`.
    case ssimulacra2
    /// Butteraugli's 3-norm, a distance: 0 for equal images, larger for worse ones; see `ButteraugliReference`.
    case butteraugli
    /// HaarPSI: up to 1 for equal images; see `PixelBuffer.haarPSI(against:)`.
    case haarpsi

    /// The values that it can have.
    package var range: ClosedRange<Double> {
        switch self {
        case .ssimulacra2: -100...100
        case .butteraugli: 0...100
        case .haarpsi: 0...1
        }
    }

    /// The value of equal images.
    var best: Double { self == .butteraugli ? range.lowerBound : range.upperBound }

    /// A value in words: "score of 70".
    func named(_ value: Double) -> String {
        switch self {
        case .ssimulacra2: "score of \(value)"
        case .butteraugli: "Butteraugli distance of \(value)"
        case .haarpsi: "HaarPSI of \(value)"
        }
    }

    /// Rounds for display.
    func rounded(_ value: Double) -> Double {
        let unit = self == .haarpsi ? 10_000.0 : 100
        return (value * unit).rounded() / unit
    }
}
