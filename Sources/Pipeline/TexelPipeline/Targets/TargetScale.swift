import TexelPixels

/// Places the values of each metric on one scale, that of SSIMULACRA2, so that a search needs to know only that.
///
/// A value of another metric has the level of the SSIMULACRA2 score that photographs have at that value. Measured on 23
/// photographs of 704 pixels, encoded with libjpeg-turbo (4:2:0, optimised, progressive).
struct TargetScale: Sendable {
    /// The values of a metric, from the best to the worst, and the scores there. Between them both change linearly.
    private let points: [(value: Double, level: Double)]

    /// Returns the scale of a metric; `nil` for SSIMULACRA2, whose values are the levels.
    init?(_ metric: TargetMetric) {
        switch metric {
        case .ssimulacra2: return nil
        case .butteraugli: self = .meanDistances
        case .haarpsi: self = .meanSimilarities
        }
    }

    private init(_ points: [(Double, Double)]) { self.points = points }

    /// Returns the level of a value.
    func level(_ value: Double) -> Double {
        let isRising = points[0].value < points[1].value
        guard let next = points.firstIndex(where: { isRising ? $0.value >= value : $0.value <= value }) else {
            return points[points.count - 1].level
        }
        guard next > 0 else { return points[0].level }
        let (low, high) = (points[next - 1], points[next])
        return low.level + (value - low.value) / (high.value - low.value) * (high.level - low.level)
    }

    private static let meanDistances = TargetScale([
        (0, 100), (0.50, 90), (0.73, 85), (0.95, 80), (1.17, 75), (1.38, 70), (1.74, 60), (2.08, 50), (2.37, 40),
        (6, -50),
        (12, -100),
    ])
    private static let meanSimilarities = TargetScale([
        (1, 100), (0.995, 90), (0.99, 85), (0.982, 80), (0.972, 75), (0.96, 70), (0.931, 60), (0.90, 50), (0.87, 40),
        (0.5, -50), (0, -100),
    ])

    /// The largest Butteraugli distances that images have at each score with libjpeg-turbo: those photographs, and six
    /// screenshots and diagrams. A file that is more distant at its score has a fault that SSIMULACRA2 overlooks.
    static let worstDistances = TargetScale([
        (0, 100), (0.66, 90), (1.11, 85), (1.39, 80), (1.66, 75), (1.89, 70), (2.45, 60), (3.77, 50), (4.38, 40),
        (12, -100),
    ])

    /// The lowest score that ``worstDistances`` are known for.
    static let lowestGuardedScore = 40.0

    /// The guard requires at most so many points more than the target. Some images, such as noise, are more distant
    /// with every encoder.
    static let largestGuard = 5.0
}
