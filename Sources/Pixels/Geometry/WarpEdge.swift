/// One straight edge of the image, in canvas coordinates.
struct WarpEdge: Sendable {
    /// The signed distance from the edge in pixels of the canvas, positive inside.
    let distance: ProjectiveMap.Linear
    /// The magnitudes of the normal's components: the larger and the smaller one.
    private let larger: Double
    private let smaller: Double

    /// Pixels whose centre is farther than this from the edge are not crossed by it.
    var reach: Double { (larger + smaller) / 2 }

    /// Creates an edge.
    ///
    /// - Parameter line: zero on the edge, positive inside. If it is constant, the canvas is entirely inside or
    ///   outside.
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

    /// Returns the part of the unit square around (x, y) that is inside: linear in the distance while the edge crosses
    /// two opposite sides of the square, quadratic while it cuts off a corner.
    func coverage(_ x: Double, _ y: Double) -> Double {
        let distance = distance(x, y)
        let near = abs(distance)
        if near >= reach { return distance > 0 ? 1 : 0 }
        if near <= (larger - smaller) / 2 { return 0.5 + distance / larger }
        let corner = (reach - near) * (reach - near) / (2 * larger * smaller)
        return distance > 0 ? 1 - corner : corner
    }
}
