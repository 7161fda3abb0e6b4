/// Finds the colour of a palette that is nearest to a point: from a guess on, among the colours that are near the guess.
struct NearestColor: Sendable {
    let points: [SIMD4<Float>]
    /// For each colour all others from the nearest to the farthest, row after row, and how far they are (not squared).
    private let neighbors: [(index: Int32, distance: Float)]

    init(_ points: [SIMD4<Float>]) {
        self.points = points
        neighbors = points.indices.flatMap { index in
            points.indices.map { other in
                (Int32(other), PerceptualPoint.distance(points[index], points[other]).squareRoot())
            }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        }
    }

    /// The index of the nearest colour and its squared distance.
    func find(_ point: SIMD4<Float>, from guess: Int) -> (index: Int, distance: Float) {
        points.withUnsafeBufferPointer { points in
            neighbors.withUnsafeBufferPointer { neighbors in
                let count = points.count
                var best = (index: guess, distance: PerceptualPoint.distance(point, points[guess]))
                // By the triangle inequality nothing that is twice as far from the guess can be nearer.
                let reach = 2 * best.distance.squareRoot()
                for position in (guess * count)..<((guess + 1) * count) {
                    if neighbors[position].distance > reach { break }
                    let index = Int(neighbors[position].index)
                    let distance = PerceptualPoint.distance(point, points[index])
                    if distance < best.distance { best = (index, distance) }
                }
                return best
            }
        }
    }
}
