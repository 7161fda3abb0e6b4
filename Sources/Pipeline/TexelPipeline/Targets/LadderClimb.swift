import PlatformLibc
import TexelCodecs

/// The search for a level on the steps of one ladder.
struct LadderClimb {
    let steps: [EncodingLadder.Step]
    let level: Double
    private var boundary: BoundarySearch
    /// The smallest file that reaches the level.
    private(set) var reached: TargetSearch.Attempt?
    /// Whether to try steps below the boundary once it is found.
    var looksFurther = false

    /// A search ends at a level no more than this above the target.
    private static let tolerance = 0.25
    /// If the level is further above the target than this, the remaining attempts are used to find a smaller file.
    private static let slack = 0.5

    /// - Parameter offset: how much lower levels are expected to be than the steps say.
    init(_ steps: [EncodingLadder.Step], level: Double, offset: Double) {
        self.steps = steps
        self.level = level
        boundary = BoundarySearch(expected: steps.map(\.score), level: level, offset: offset)
    }

    /// The index of the next step to try; `nil` to end the search.
    var next: Int? {
        let distance = reached.map { $0.level - level } ?? .infinity
        guard looksFurther else { return distance <= Self.tolerance ? nil : boundary.next }
        return distance.isFinite && distance > Self.slack ? boundary.nextBelow : nil
    }

    mutating func add(_ index: Int, _ attempt: TargetSearch.Attempt) {
        boundary.add(index, attempt.level)
        if attempt.level >= level, attempt.bytes.count <= reached?.bytes.count ?? .max { reached = attempt }
    }

    /// How much lower the level of an attempt is than its step says.
    func offset(of attempt: TargetSearch.Attempt) -> Double { attempt.step.score - attempt.level }

    /// Whether a file of these steps that reaches the level would probably be larger than another one.
    ///
    /// - Parameter attempt: one at the step of an index. Its size and the steps tell how large such a file would be.
    func cannotWin(against other: TargetSearch.Attempt, after attempt: TargetSearch.Attempt, at index: Int) -> Bool {
        let missing = level - attempt.level
        let goal = steps[index].score + missing
        let there = steps.first { $0.score >= goal } ?? steps[steps.count - 1]
        let expected = Double(attempt.bytes.count) * exp(there.size - steps[index].size)
        // The further away the level is, the rougher is the estimate.
        return expected > Double(other.bytes.count) * (1.02 + 0.01 * abs(missing))
    }
}
