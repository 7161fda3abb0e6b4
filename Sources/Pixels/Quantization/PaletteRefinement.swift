/// Lloyd's algorithm (k-means): repeatedly moves each colour to the mean of the entries nearest to it.
struct PaletteRefinement {
    private let entries: [ColorHistogram.Entry]
    private var nearest: [Int]
    private var search: NearestColor
    private(set) var points: [SIMD4<Float>]
    /// The weighted sum of squared distances in the last iteration.
    private(set) var spread = 0.0

    /// Starts with the means of the boxes.
    init(_ cut: MedianCut) {
        entries = cut.entries
        nearest = cut.boxOfEntry
        points = cut.means
        search = NearestColor(points)
    }

    /// The entries that are nearest to one colour.
    struct Cluster {
        var weight = 0.0
        /// The weighted sum of squared distances on each axis.
        var spreads = SIMD4<Double>.zero

        var spread: Double { spreads.sum() }
    }

    /// The cluster of each colour, by the last iteration.
    var clusters: [Cluster] {
        var clusters = [Cluster](repeating: Cluster(), count: points.count)
        for index in entries.indices {
            let distance = SIMD4<Double>(entries[index].point - points[nearest[index]])
            clusters[nearest[index]].weight += Double(entries[index].weight)
            clusters[nearest[index]].spreads += distance * distance * Double(entries[index].weight)
        }
        return clusters
    }

    /// Moves the colours. The next call of `run` starts from here.
    mutating func restart(_ points: [SIMD4<Float>]) {
        self.points = points
        search.move(to: points)
        spread = 0
    }

    /// Runs at most `iterations` iterations; stops earlier if the spread hardly changes.
    ///
    /// - Returns: false if `continues` returned false.
    mutating func run(_ iterations: Int, while continues: () -> Bool) -> Bool {
        guard !points.isEmpty else { return true }
        for _ in 0..<iterations {
            guard continues() else { return false }
            let before = spread
            assign()
            if before > 0, spread > before * 0.999 { break }
            search.move(to: points)
        }
        return true
    }

    private mutating func assign() {
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
                // An unused colour moves to the entry with the largest error.
                points[color] = entries[worst.index].point
            }
        }
    }
}
