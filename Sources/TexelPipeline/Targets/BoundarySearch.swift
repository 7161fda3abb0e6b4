/// Looks for the place on a ladder where growing values pass a level, in few measurements.
///
/// What is expected of each step is known. The search assumes that the truth differs from it by a shift at first, and by
/// a shift and a stretch once there are two measurements. As long as all are on one side it goes further than that asks
/// for, each time more; where two in sequence have left more than half of an interval, it halves it.
struct BoundarySearch {
    /// Expected values, which grow.
    private let expected: [Double]
    private let level: Double
    /// The last step known to be below the level and the first one known to reach it, with their values.
    private(set) var below: Measurement?
    private(set) var reached: Measurement?
    /// In their order.
    private var measurements: [Measurement] = []
    /// How many measurements in sequence have left more than half of the interval.
    private var idleCount = 0

    struct Measurement {
        var index: Int
        var value: Double
    }

    init(expected: [Double], level: Double) {
        self.expected = expected
        self.level = level
    }

    /// The step to measure next; `nil` when the boundary is found: `below` and `reached` are neighbours, or the ladder
    /// ends.
    var next: Int? {
        let low = below.map { $0.index + 1 } ?? 0
        let high = reached.map { $0.index - 1 } ?? expected.count - 1
        guard low <= high else { return nil }
        let guess: Int
        if let below, let reached {
            guess = idleCount < 2 ? interpolated(below, reached) : (below.index + reached.index) / 2
        } else if let last = measurements.last {
            guess = extrapolated(last)
        } else {
            guess = index(of: level)
        }
        return min(max(guess, low), high)
    }

    mutating func add(_ index: Int, _ value: Double) {
        let width = width
        if value < level {
            if index > below?.index ?? -1 { below = Measurement(index: index, value: value) }
        } else if index < reached?.index ?? expected.count {
            reached = Measurement(index: index, value: value)
        }
        measurements.append(Measurement(index: index, value: value))
        idleCount = self.width * 2 > width && idleCount < 2 ? idleCount + 1 : 0
    }

    /// How far apart the two sides are.
    private var width: Int { (reached?.index ?? expected.count) - (below?.index ?? -1) }

    private func interpolated(_ below: Measurement, _ reached: Measurement) -> Int {
        let part = (level - below.value) / (reached.value - below.value)
        return index(of: expected[below.index] + part * (expected[reached.index] - expected[below.index]))
    }

    private func extrapolated(_ last: Measurement) -> Int {
        var distance = level - last.value
        if let former = measurements.dropLast().last {
            let run = expected[last.index] - expected[former.index]
            // Of noise little can be told.
            let slope = abs(run) > 1e-9 ? (last.value - former.value) / run : 1
            distance *= (1 + 0.5 * Double(measurements.count - 1)) / min(max(slope, 0.2), 5)
        }
        return index(of: expected[last.index] + distance)
    }

    /// The nearest step below the boundary that was not measured: where values do not always grow, it may reach the level as
    /// well.
    var nextBelow: Int? {
        let measured = Set(measurements.map(\.index))
        return expected.indices.prefix(reached?.index ?? expected.count).last { !measured.contains($0) }
    }

    /// The first step that is expected to reach a value.
    private func index(of value: Double) -> Int { expected.firstIndex { $0 >= value } ?? expected.count - 1 }
}
