/// A requirement on a file instead of a quality: a score, a number of bytes, or both.
public struct EncodingTarget: Sendable, Hashable, Codable {
    /// The lowest accepted SSIMULACRA2 score against the image before encoding; the smallest file that reaches it is
    /// written.
    public var score: Double?
    /// The maximum number of bytes. Without a ``score``, the best image that fits is written; with one, the smallest
    /// file that reaches the score must fit.
    public var byteLimit: Int?
    /// Whether the image may be scaled down if it does not fit otherwise. It is then scaled down in preference to a
    /// low quality.
    public var allowsSmaller = false
    /// Whether the nearest result is written if the target cannot be met; if not, that is an error.
    public var isBestEffort = false

    /// Makes a target; without arguments it requires nothing.
    public init(score: Double? = nil, byteLimit: Int? = nil, allowsSmaller: Bool = false, isBestEffort: Bool = false) {
        self.score = score
        self.byteLimit = byteLimit
        self.allowsSmaller = allowsSmaller
        self.isBestEffort = isBestEffort
    }

    /// Whether the target requires anything.
    public var isSet: Bool { score != nil || byteLimit != nil }
}

/// The reason why an ``EncodingTarget`` cannot be met.
public enum TargetError: Error, Sendable, Hashable, Codable {
    /// Even the best encoding of the format has a lower score.
    case scoreTooHigh(Double, best: Double)
    /// Even the smallest encoding is larger.
    case byteLimitTooLow(Int, smallest: Int)
    /// No encoding both fits and reaches the score.
    case byteLimitTooLowForScore(Double, Int, needed: Int)
}

extension TargetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .scoreTooHigh(let score, let best):
            "no encoding reaches a score of \(score); the best is \(rounded(best))"
        case .byteLimitTooLow(let limit, let smallest):
            "cannot fit into \(limit) bytes; the smallest file has \(smallest)"
        case .byteLimitTooLowForScore(let score, let limit, let needed):
            "a score of \(score) requires \(needed) bytes, but the limit is \(limit)"
        }
    }
}

/// Rounds to two decimals for display.
func rounded(_ score: Double) -> Double { (score * 100).rounded() / 100 }
