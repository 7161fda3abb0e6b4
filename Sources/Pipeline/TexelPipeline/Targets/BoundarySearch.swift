/// Finds the step of a ladder at which rising values reach a level, in few measurements.
///
/// An expected value is known for each step. The search assumes that real values differ from it by an offset, and,
/// once there are two measurements, by an offset and a scale. While all measurements are on one side of the level,
/// each extrapolation overshoots more than the one before. If two measurements in a row have left more than half of
/// the interval, the interval is halved.
struct BoundarySearch {
    /// The expected values in ascending order.
    private let expected: [Double]
    private let level: Double
    private let offset: Double
    /// The last step known to be below the level and the first one known to reach it.
    private(set) var below: Measurement?
    private(set) var reached: Measurement?
    /// In the order they were added.
    private var measurements: [Measurement] = []
    /// How many measurements in a row have left more than half of the interval.
    private var idleCount = 0

    struct Measurement {
        var index: Int
        var value: Double
    }

    /// - Parameter offset: how much lower real values are assumed to be before there is a measurement.
    init(expected: [Double], level: Double, offset: Double = 0) {
        self.expected = expected
        self.level = level
        self.offset = offset
    }

    /// The step to measure next; `nil` when the boundary is found, that is, if `below` and `reached` are neighbours
    /// or the ladder ends.
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
            guess = index(of: level + offset)
        }
        return min(max(guess, low), high)
    }

    /// Adds the measured value of a step.
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

    /// The distance between the two sides, in steps.
    private var width: Int { (reached?.index ?? expected.count) - (below?.index ?? -1) }

    private func interpolated(_ below: Measurement, _ reached: Measurement) -> Int {
        let part = (level - below.value) / (reached.value - below.value)
        return index(of: expected[below.index] + part * (expected[reached.index] - expected[below.index]))
    }

    private func extrapolated(_ last: Measurement) -> Int {
        var distance = level - last.value
        if let former = measurements.dropLast().last {
            let run = expected[last.index] - expected[former.index]
            // If the expected values are almost equal, the slope would only measure noise.
            let slope = abs(run) > 1e-9 ? (last.value - former.value) / run : 1
            distance *= (1 + 0.5 * Double(measurements.count - 1)) / min(max(slope, 0.2), 5)
        }
        return index(of: expected[last.index] + distance)
    }

    /// The highest unmeasured step below the boundary; as real values do not always rise, it may reach the level as
    /// well.
    var nextBelow: Int? {
        let measured = Set(measurements.map(\.index))
        return expected.indices.prefix(reached?.index ?? expected.count).last { !measured.contains($0) }
    }

    /// The first step whose expected value reaches `value`.
    private func index(of value: Double) -> Int { expected.firstIndex { $0 >= value } ?? expected.count - 1 }
}
