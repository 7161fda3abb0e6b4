/// Lloyd's algorithm (k-means): colours move to the mean of what is nearest to them, again and again.
struct PaletteRefinement {
    private let entries: [ColorHistogram.Entry]
    private var nearest: [Int]
    private(set) var points: [SIMD4<Float>]
    /// The weighted sum of squared distances at the last look.
    private(set) var spread = 0.0

    init(_ entries: [ColorHistogram.Entry], points: [SIMD4<Float>]) {
        self.entries = entries
        self.points = points
        nearest = Array(repeating: 0, count: entries.count)
    }

    /// Moves all colours so many times, fewer where they come to rest.
    mutating func run(_ iterations: Int) {
        guard !points.isEmpty else { return }
        for _ in 0..<iterations {
            let before = spread
            assign()
            if before > 0, spread > before * 0.999 { return }
        }
    }

    private mutating func assign() {
        let search = NearestColor(points)
        var weights = [Double](repeating: 0, count: points.count)
        var sums = [SIMD4<Double>](repeating: .zero, count: points.count)
        var worst = (distance: 0.0, index: 0)
        spread = 0
        for index in entries.indices {
            let entry = entries[index]
            let (color, distance) = search.find(entry.point, from: nearest[index])
            nearest[index] = color
            weights[color] += Double(entry.weight)
            sums[color] += SIMD4<Double>(entry.point) * Double(entry.weight)
            let share = Double(distance) * Double(entry.weight)
            spread += share
            if share > worst.distance { worst = (share, index) }
        }
        for color in points.indices {
            if weights[color] > 0 {
                points[color] = SIMD4<Float>(sums[color] / weights[color])
            } else {
                // Of no use where it is: it goes to what is served worst.
                points[color] = entries[worst.index].point
            }
        }
    }
}
