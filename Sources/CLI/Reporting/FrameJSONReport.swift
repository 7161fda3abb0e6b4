import Texel
import TexelFrames

/// The object that `--stats json` prints at the end. All keys are present; times are in microseconds.
struct FrameJSONReport: Encodable {
    private let source: String
    private let output: String
    private let framesIn: Int
    private let framesOut: Int
    private let framesDropped: Int
    private let framesRepeated: Int
    private let framesOmitted: Int
    private let dropped: [String: Int]
    private let damage: Damage
    private let seconds: Double
    private let framesPerSecond: Double
    private let position: Int64
    private let stages: [String: Times]
    private let error: String?

    private struct Times: Encodable {
        let p50: Int64
        let p95: Int64
        let p99: Int64
        let longest: Int64

        /// - Parameter times: zero if `nil`.
        init(_ times: FrameStatistics.Times?) {
            p50 = times?.p50.microseconds ?? 0
            p95 = times?.p95.microseconds ?? 0
            p99 = times?.p99.microseconds ?? 0
            longest = times?.longest.microseconds ?? 0
        }
    }

    private struct Damage: Encodable {
        let lostPackets: Int
        let damagedFrames: Int
        let endsEarly: Bool
    }

    init(
        _ statistics: FrameStatistics, _ conversion: RateConversion?, source: String, output: String,
        error: TexelError?
    ) {
        self.source = source
        self.output = output
        framesIn = statistics.framesIn
        framesOut = statistics.framesOut
        framesDropped = statistics.framesDropped
        framesRepeated = conversion?.framesRepeated ?? 0
        framesOmitted = conversion?.framesOmitted ?? 0
        dropped = Dictionary(
            uniqueKeysWithValues: FrameStatistics.DropCause.allCases.map {
                ($0.rawValue, statistics.dropped[$0] ?? 0)
            })
        damage = Damage(
            lostPackets: statistics.faults.lostPackets, damagedFrames: statistics.faults.damagedFrames,
            endsEarly: statistics.faults.endsEarly)
        seconds = Double(statistics.elapsed.microseconds) / 1_000_000
        framesPerSecond = seconds > 0 ? (Double(framesOut) / seconds * 100).rounded() / 100 : 0
        position = statistics.position.microseconds
        stages = Dictionary(
            uniqueKeysWithValues: FrameStatistics.Stage.allCases.map { ($0.rawValue, Times(statistics.times[$0])) })
        self.error = error.map { ErrorText.sentence($0, replacesInputs: false) }
    }

    private enum Key: String, CodingKey {
        case source, output, framesIn, framesOut, framesDropped, framesRepeated, framesOmitted, dropped, damage
        case seconds, framesPerSecond, position, stages, error
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(source, forKey: .source)
        try object.encode(output, forKey: .output)
        try object.encode(framesIn, forKey: .framesIn)
        try object.encode(framesOut, forKey: .framesOut)
        try object.encode(framesDropped, forKey: .framesDropped)
        try object.encode(framesRepeated, forKey: .framesRepeated)
        try object.encode(framesOmitted, forKey: .framesOmitted)
        try object.encode(dropped, forKey: .dropped)
        try object.encode(damage, forKey: .damage)
        try object.encode(seconds, forKey: .seconds)
        try object.encode(framesPerSecond, forKey: .framesPerSecond)
        try object.encode(position, forKey: .position)
        try object.encode(stages, forKey: .stages)
        try object.encode(error, forKey: .error)
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
