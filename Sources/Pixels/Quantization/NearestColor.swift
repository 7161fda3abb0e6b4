/// Finds the palette colour nearest to a point, searching the neighbours of a first guess.
struct NearestColor: Sendable {
    private(set) var points: [SIMD4<Float>]
    /// For each colour a row of all colours, from the nearest to the farthest: the bits of the squared distance above
    /// the index. The bits of non-negative floats are ordered as the floats are.
    private var neighbors: [UInt64]

    init(_ points: [SIMD4<Float>]) {
        self.points = points
        neighbors = points.indices.flatMap { index in
            points.indices.map { Self.neighbor(points[index], points[$0], $0) }.sorted()
        }
    }

    private static func neighbor(_ point: SIMD4<Float>, _ other: SIMD4<Float>, _ index: Int) -> UInt64 {
        UInt64(PerceptualPoint.distance(point, other).bitPattern) << 32 | UInt64(index)
    }

    /// Moves all colours to new points. If these are near the old ones, the order of the neighbours hardly changes, so
    /// insertion sort is fast.
    mutating func move(to points: [SIMD4<Float>]) {
        self.points = points
        neighbors.withUnsafeMutableBufferPointer { neighbors in
            for index in points.indices {
                let row = index * points.count
                for place in 0..<points.count {
                    let other = Int(neighbors[row + place] & 0xFFFF_FFFF)
                    let moved = Self.neighbor(points[index], points[other], other)
                    var free = row + place
                    while free > row, neighbors[free - 1] > moved {
                        neighbors[free] = neighbors[free - 1]
                        free -= 1
                    }
                    neighbors[free] = moved
                }
            }
        }
    }

    /// Returns the index of the nearest colour and its squared distance.
    func find(_ point: SIMD4<Float>, from guess: Int) -> (index: Int, distance: Float) {
        points.withUnsafeBufferPointer { points in
            neighbors.withUnsafeBufferPointer { neighbors in
                let count = points.count
                var best = (index: guess, distance: PerceptualPoint.distance(point, points[guess]))
                // By the triangle inequality a colour more than twice as far from the guess as the point cannot be
                // nearer.
                let reach = UInt64((best.distance * 4).bitPattern) << 32 | 0xFFFF_FFFF
                for position in (guess * count)..<((guess + 1) * count) {
                    let neighbor = neighbors[position]
                    if neighbor > reach { break }
                    let index = Int(neighbor & 0xFFFF_FFFF)
                    let distance = PerceptualPoint.distance(point, points[index])
                    if distance < best.distance { best = (index, distance) }
                }
                return best
            }
        }
    }
}
