/// A smooth curve through points, which between two points never leaves the range of their values.
///
/// A cubic Hermite spline with limited tangents: F. N. Fritsch and R. E. Carlson, "Monotone piecewise cubic
/// interpolation", SIAM Journal on Numerical Analysis 17(2), 1980. Before the first point and after the last one it is
/// constant.
package struct MonotoneCurve: Sendable {
    private let points: [(x: Double, y: Double)]
    private let tangents: [Double]

    /// - Parameter points: at least one, with increasing x.
    package init(_ points: [(x: Double, y: Double)]) {
        precondition(!points.isEmpty, "the curve has no points")
        self.points = points
        let slopes = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
        var tangents = points.indices.map { index in
            guard index > 0 else { return slopes.first ?? 0 }
            guard index < slopes.count else { return slopes[index - 1] }
            let (before, after) = (slopes[index - 1], slopes[index])
            return before * after <= 0 ? 0 : (before + after) / 2
        }
        for (index, slope) in slopes.enumerated() {
            if slope == 0 {
                (tangents[index], tangents[index + 1]) = (0, 0)
                continue
            }
            let (first, second) = (tangents[index] / slope, tangents[index + 1] / slope)
            let square = first * first + second * second
            if square > 9 {
                let factor = 3 / square.squareRoot() * slope
                (tangents[index], tangents[index + 1]) = (factor * first, factor * second)
            }
        }
        self.tangents = tangents
    }

    /// The value at x.
    package func callAsFunction(_ x: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.x >= x }) else { return points[points.count - 1].y }
        guard next > 0 else { return points[0].y }
        let (start, end) = (points[next - 1], points[next])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let (square, rest) = (t * t, 1 - t)
        return start.y * (1 + 2 * t) * rest * rest + end.y * square * (3 - 2 * t)
            + width * (tangents[next - 1] * t * rest * rest - tangents[next] * square * rest)
    }
}
