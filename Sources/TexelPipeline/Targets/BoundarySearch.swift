/// Looks for the place on a ladder where growing values pass a level, in few measurements.
///
/// What is expected of each step is known. The search assumes that the truth differs from it by a shift at first, and by
/// a shift and a stretch once there is a measurement on either side. Where a measurement leaves more than half of an
/// interval, the next one trusts the nearer side alone, and if that does not help either, halves it.
struct BoundarySearch {
    /// Expected values, which grow.
    private let expected: [Double]
    private let level: Double
    /// The last step known to be below the level and the first one known to reach it, with their values.
    private(set) var below: Measurement?
    private(set) var reached: Measurement?
    private var count = 0
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
            switch idleCount {
            case 0: guess = interpolated(below, reached)
            case 1:
                let isBelowNearer = level - below.value < reached.value - level
                guess = isBelowNearer ? shifted(from: below) : shifted(from: reached) - 1
            default: guess = (below.index + reached.index) / 2
            }
        } else if let known = below ?? reached {
            // The expectation was wrong twice; the ladder's end settles whether there is a boundary at all.
            guess = count < 3 ? shifted(from: known) : below == nil ? low : high
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
        count += 1
        idleCount = self.width * 2 > width && idleCount < 2 ? idleCount + 1 : 0
    }

    /// How far apart the two sides are.
    private var width: Int { (reached?.index ?? expected.count) - (below?.index ?? -1) }

    private func interpolated(_ below: Measurement, _ reached: Measurement) -> Int {
        let part = (level - below.value) / (reached.value - below.value)
        return index(of: expected[below.index] + part * (expected[reached.index] - expected[below.index]))
    }

    private func shifted(from known: Measurement) -> Int { index(of: expected[known.index] + level - known.value) }

    /// The first step that is expected to reach a value.
    private func index(of value: Double) -> Int { expected.firstIndex { $0 >= value } ?? expected.count - 1 }
}
