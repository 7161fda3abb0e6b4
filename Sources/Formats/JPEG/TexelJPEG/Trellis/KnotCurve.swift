import TexelCodecs

/// A curve through points with positive values, interpolated linearly in the logarithm of the values, and extrapolated
/// beyond the first and last point.
struct KnotCurve: Sendable {
    private let points: [(x: Double, logarithm: Double)]

    /// - Parameter points: at least two, in order of increasing x.
    init(_ points: [(x: Double, y: Double)]) {
        precondition(points.count > 1, "a curve requires at least two points")
        self.points = points.map { ($0.x, BinaryLogarithm.logarithm($0.y)) }
    }

    func value(at x: Double) -> Double {
        let next = points.indices.dropFirst().first { x <= points[$0].x } ?? points.count - 1
        let (a, b) = (points[next - 1], points[next])
        return BinaryLogarithm.power(a.logarithm + (b.logarithm - a.logarithm) * (x - a.x) / (b.x - a.x))
    }
}
