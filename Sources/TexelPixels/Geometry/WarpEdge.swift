/// One straight edge of the picture as it lies on the canvas.
struct WarpEdge: Sendable {
    /// The distance from the edge in pixels of the canvas, positive inside.
    let distance: ProjectiveMap.Linear
    /// The edge's normal, its larger and its smaller part, both positive.
    private let larger: Double
    private let smaller: Double

    /// A pixel whose centre is farther than this from the edge is not touched by it.
    var reach: Double { (larger + smaller) / 2 }

    /// - Parameter line: zero on the edge, positive inside. Where it is constant there is no edge in sight.
    init(_ line: ProjectiveMap.Linear) {
        let length = (line.x * line.x + line.y * line.y).squareRoot()
        guard length > 0 else {
            distance = ProjectiveMap.Linear(x: 0, y: 0, constant: line.constant >= 0 ? 1e9 : -1e9)
            (larger, smaller) = (1, 0)
            return
        }
        distance = (1 / length) * line
        (larger, smaller) = (max(abs(distance.x), abs(distance.y)), min(abs(distance.x), abs(distance.y)))
    }

    /// The part of the unit square around (x, y) that lies inside: linear in the distance while the edge crosses two
    /// opposite sides of the square, quadratic while it cuts off a corner.
    func coverage(_ x: Double, _ y: Double) -> Double {
        let distance = distance(x, y)
        let near = abs(distance)
        if near >= reach { return distance > 0 ? 1 : 0 }
        if near <= (larger - smaller) / 2 { return 0.5 + distance / larger }
        let corner = (reach - near) * (reach - near) / (2 * larger * smaller)
        return distance > 0 ? 1 - corner : corner
    }
}
