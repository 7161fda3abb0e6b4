import CFreeType

/// Points along the outline of a glyph.
struct OutlinePoints {
    /// The points in pixels relative to the pen on the baseline; y is positive above it.
    private(set) var points: [SIMD2<Double>] = []

    private let spacing: Double
    private var last = SIMD2(0.0, 0.0)

    /// Finds the points of an outline.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - spacing: The maximum distance between neighbouring points in pixels.
    init(of outline: inout FT_Outline, spacing: Double) {
        self.spacing = spacing
        var functions = FT_Outline_Funcs(
            move_to: { to, path in OutlinePoints.update(path) { $0.last = Self.point(to) } },
            line_to: { to, path in OutlinePoints.update(path) { $0.add([Self.point(to)]) } },
            conic_to: { control, to, path in
                OutlinePoints.update(path) { $0.add([Self.point(control), Self.point(to)]) }
            },
            cubic_to: { first, second, to, path in
                OutlinePoints.update(path) { $0.add([Self.point(first), Self.point(second), Self.point(to)]) }
            },
            shift: 0, delta: 0)
        // An outline that cannot be followed further has the points found so far.
        withUnsafeMutablePointer(to: &self) { _ = FT_Outline_Decompose(&outline, &functions, $0) }
    }

    /// Calls `change` with the points to which FreeType's functions add.
    private static func update(
        _ path: UnsafeMutableRawPointer?, _ change: (inout OutlinePoints) -> Void
    ) -> CInt {
        if let path { change(&path.assumingMemoryBound(to: OutlinePoints.self).pointee) }
        return 0
    }

    /// Converts from 26.6 fixed point.
    private static func point(_ vector: UnsafePointer<FT_Vector>?) -> SIMD2<Double> {
        guard let vector = vector?.pointee else { return .zero }
        return SIMD2(Double(vector.x), Double(vector.y)) / 64
    }

    /// Adds the points of a Bézier curve that begins at the last point.
    private mutating func add(_ controls: [SIMD2<Double>]) {
        let curve = [last] + controls
        let length = zip(curve, controls).reduce(0) { sum, pair in
            let side = pair.1 - pair.0
            return sum + (side * side).sum().squareRoot()
        }
        let count = max(1, Int((length / spacing).rounded(.up)))
        for step in 1...count { points.append(Self.point(of: curve, at: Double(step) / Double(count))) }
        last = controls.last ?? last
    }

    /// Returns a point of a Bézier curve by de Casteljau's algorithm.
    private static func point(of curve: [SIMD2<Double>], at position: Double) -> SIMD2<Double> {
        var points = curve
        while points.count > 1 {
            points = zip(points, points.dropFirst()).map { $0 + ($1 - $0) * position }
        }
        return points[0]
    }
}
