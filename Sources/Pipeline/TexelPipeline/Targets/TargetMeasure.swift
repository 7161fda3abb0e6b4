import TexelCodecs
import TexelCore
import TexelMetrics
import TexelPixels

/// Measures encodings of one image by the metric of a target.
struct TargetMeasure {
    /// The result of a measurement.
    struct Value {
        /// By the metric.
        var score: Double
        /// On the scale of SSIMULACRA2, and no higher than the guard allows.
        var level: Double
    }

    private let image: PixelBuffer
    private let metric: TargetMetric
    /// The level that must be reached; `nil` if none.
    let level: Double?
    private let threads: Int
    private let stop: StopToken?
    private var scores: SSIMULACRA2Reference?
    private var distances: ButteraugliReference?

    init(_ image: PixelBuffer, _ target: EncodingTarget, threads: Int, stop: StopToken?) {
        self.image = image
        metric = target.metric
        level = target.score.map { Self.level($0, target.metric) }
        self.threads = threads
        self.stop = stop
    }

    private static func level(_ score: Double, _ metric: TargetMetric) -> Double {
        TargetScale(metric)?.level(score) ?? score
    }

    /// Measures a file.
    ///
    /// - Parameter guarded: whether the guard's distance is measured if the score reaches the target.
    /// - Throws: errors of decoding and of the metrics; `stopped`.
    mutating func value(of bytes: [UInt8], guarded: Bool) throws(TexelError) -> Value {
        let candidate = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
        let score =
            switch metric {
            case .ssimulacra2: try score(of: candidate)
            case .butteraugli: try distance(of: candidate)
            case .haarpsi:
                try candidate.haarPSI(against: image)
            }
        var value = Value(score: score, level: Self.level(score, metric))
        if guarded, metric == .ssimulacra2, let level, level >= TargetScale.lowestGuardedScore, score >= level {
            let allowed = TargetScale.worstDistances.level(try distance(of: candidate))
            value.level = max(min(score, allowed), score - TargetScale.largestGuard)
        }
        return value
    }

    private mutating func score(of candidate: PixelBuffer) throws(TexelError) -> Double {
        let reference = if let scores { scores } else { try SSIMULACRA2Reference(image) }
        let score = try reference.score(of: candidate, threads: threads) { [stop] in stop?.reason != nil }
        scores = reference
        return try finished(score)
    }

    private mutating func distance(of candidate: PixelBuffer) throws(TexelError) -> Double {
        let reference = if let distances { distances } else { try ButteraugliReference(image) }
        let distance = try reference.distance(of: candidate, threads: threads) { [stop] in stop?.reason != nil }
        distances = reference
        return try finished(distance?.norm3)
    }

    /// Returns the value, which is `nil` if the measurement was stopped.
    private func finished(_ value: Double?) throws(TexelError) -> Double {
        guard let value else { throw .stopped(stop?.reason ?? .cancelled) }
        return value
    }
}
