/// The reason why an ``EncodingTarget`` cannot be met.
public enum TargetError: Error, Sendable, Hashable, Codable {
    /// Even the best encoding of the format is worse.
    case scoreTooHigh(Double, TargetMetric, best: Double)
    /// Even the smallest encoding is larger.
    case byteLimitTooLow(Int, smallest: Int)
    /// No encoding both fits and reaches the score.
    case byteLimitTooLowForScore(Double, TargetMetric, Int, needed: Int)
}

extension TargetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .scoreTooHigh(let score, let metric, let best):
            "no encoding reaches a \(metric.named(score)); the best is \(metric.rounded(best))"
        case .byteLimitTooLow(let limit, let smallest):
            "cannot fit into \(limit) bytes; the smallest file has \(smallest)"
        case .byteLimitTooLowForScore(let score, let metric, let limit, let needed):
            "a \(metric.named(score)) requires \(needed) bytes, but the limit is \(limit)"
        }
    }
}
