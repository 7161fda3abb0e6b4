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
