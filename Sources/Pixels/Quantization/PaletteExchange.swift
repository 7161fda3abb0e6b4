/// Escapes local optima of Lloyd's algorithm: removes a colour near another one, and divides a colour that stands for
/// very different entries. An exchange is kept if the spread is smaller after a few iterations.
extension PaletteRefinement {
    private static let mostExchanges = 16
    /// The number of consecutive attempts without success after which no more are made.
    private static let mostFailures = 4
    /// The number of clusters that are candidates for division.
    private static let divisibleCount = 2
    private static let iterations = 4

    /// Exchanges colours while that helps.
    ///
    /// - Returns: false if `continues` returned false.
    mutating func exchange(while continues: () -> Bool) -> Bool {
        guard points.count > 2 else { return true }
        var failures = 0
        for _ in 0..<Self.mostExchanges {
            guard let exchanged = exchangedPoints(attempt: failures) else { return true }
            var trial = self
            trial.restart(exchanged)
            guard trial.run(Self.iterations, while: continues) else { return false }
            if trial.spread < spread * 0.9995 {
                self = trial
                failures = 0
            } else {
                failures += 1
                if failures == Self.mostFailures { return true }
            }
        }
        return true
    }

    /// Returns the colours after an exchange; `nil` if there is none that may help.
    ///
    /// - Parameter attempt: the number of the exchange among those for the same colours, the most promising first.
    private func exchangedPoints(attempt: Int) -> [SIMD4<Float>]? {
        let clusters = clusters
        let bySpread = clusters.indices.sorted { (-clusters[$0].spread, $0) < (-clusters[$1].spread, $1) }
        let divided = bySpread[attempt % Self.divisibleCount]
        let removals = clusters.indices.filter { $0 != divided }.map { (cost: removalCost($0, clusters), index: $0) }
            .sorted { $0 < $1 }
        let removal = attempt / Self.divisibleCount
        guard removal < removals.count, removals[removal].cost < clusters[divided].spread else { return nil }
        let axis = (0..<4).reduce(0) { clusters[divided].spreads[$1] > clusters[divided].spreads[$0] ? $1 : $0 }
        var offset = SIMD4<Float>.zero
        offset[axis] = Float((clusters[divided].spreads[axis] / clusters[divided].weight).squareRoot())
        var exchanged = points
        exchanged[removals[removal].index] = points[divided] + offset
        exchanged[divided] = points[divided] - offset
        return exchanged
    }

    /// Returns by how much the spread grows approximately if a colour is joined with the one that costs least (J. H.
    /// Ward, "Hierarchical grouping to optimize an objective function", 1963).
    private func removalCost(_ color: Int, _ clusters: [Cluster]) -> Double {
        points.indices.filter { $0 != color }.map { other in
            let (a, b) = (clusters[color].weight, clusters[other].weight)
            return a * b / max(a + b, .leastNormalMagnitude)
                * Double(PerceptualPoint.distance(points[color], points[other]))
        }.min() ?? 0
    }
}
