public import TexelCore

extension TexelError {
    /// Even the best encoding of the format is worse than an ``EncodingTarget`` requests.
    public static func scoreTooHigh(_ score: Double, _ metric: TargetMetric, best: Double) -> TexelError {
        TexelError(
            .scoreTooHigh, "no encoding reaches a \(metric.named(score)); the best is \(metric.rounded(best))")
    }

    /// Even the smallest encoding is larger than an ``EncodingTarget`` allows.
    public static func byteLimitTooLow(_ limit: Int, smallest: Int) -> TexelError {
        TexelError(.byteLimitTooLow, "cannot fit into \(limit) bytes; the smallest file has \(smallest)")
    }

    /// Whether no encoding meets an ``EncodingTarget``.
    var isMissedTarget: Bool {
        switch kind {
        case .scoreTooHigh, .byteLimitTooLow, .byteLimitTooLowForScore: true
        default: false
        }
    }

    /// No encoding both fits and reaches the score.
    public static func byteLimitTooLowForScore(
        _ score: Double, _ metric: TargetMetric, _ limit: Int, needed: Int
    ) -> TexelError {
        TexelError(
            .byteLimitTooLowForScore,
            "a \(metric.named(score)) requires \(needed) bytes, but the limit is \(limit)")
    }
}
