import TexelCodecs
import TexelMetrics
import TexelPixels

/// Finds the adjustments with which an image takes the fewest bytes at the quality of the default settings: by the mean
/// of SSIMULACRA2, Butteraugli's 3-norm and HaarPSI, and by none of them noticeably more bytes than with the default
/// settings.
///
/// Changes one adjustment after the other by one step, up or down, and those that matter most once more by a smaller
/// step. More steps would fit the image to the metrics' weaknesses. The number of trials is limited, and large images
/// are judged by tiles.
struct SettingsSearch {
    private let encoder: TrellisJPEGEncoder
    private let original: PixelBuffer
    private let scores: SSIMULACRA2Reference
    private let distances: ButteraugliReference
    private let quality: Double
    private let rows: BlockRows
    private let trialDecoder: TrialDecoder

    private typealias Adjustments = QuantizationSettings.Adjustments

    private static var steps: [(WritableKeyPath<Adjustments, Double>, up: Double, down: Double)] {
        [
            (\.low, 1.09, 1 / 1.09), (\.high, 0.88, 1 / 0.88), (\.chroma, 0.87, 1.15), (\.price, 0.65, 1.4),
            (\.chromaMeans, 0.8, 1.2), (\.means, 1.15, 1 / 1.15), (\.low, 1.06, 1 / 1.06), (\.high, 0.92, 1 / 0.92),
            (\.chroma, 0.92, 1.08),
        ]
    }

    /// The maximum number of trials: to measure the scale, to find steps, and to check the result.
    static var trialLimit: Int { 3 + 2 * steps.count + checkLimit }
    private static let checkLimit = 3

    /// The minimum gain for a step to be kept, as a binary logarithm of bytes.
    private static let leastGain = 0.0012
    /// By how much a step may be worse than the default settings by one metric, as a binary logarithm of bytes. It is
    /// less than what rounding steps to whole numbers does to one metric.
    private static let tolerance = 0.002

    /// Returns the adjustments for an image.
    ///
    /// - Parameter image: opaque pixels.
    /// - Throws: `outOfMemory`, `stopped`, `pixels`.
    static func adjustments(
        _ image: PixelBuffer, isGray: Bool, sampling: (horizontal: Int, vertical: Int), quality: Double,
        _ rows: BlockRows, _ trialDecoder: TrialDecoder
    ) throws(CodecError) -> QuantizationSettings.Adjustments {
        let judged: PixelBuffer
        let scores: SSIMULACRA2Reference
        let distances: ButteraugliReference
        let profile: ICCProfile?
        do {
            judged = try JudgedTiles(of: image.size).joined(image)
            scores = try SSIMULACRA2Reference(judged)
            distances = try ButteraugliReference(judged)
            profile = try judged.colorSpace.embeddableProfile()
        } catch {
            throw .pixels(error)
        }
        let frequencies = try ImageCoefficients(judged, isGray: isGray, sampling: sampling, rows)
        let encoder = TrellisJPEGEncoder(
            frequencies, isProgressive: nil, metadata: WrittenMetadata(), profile: profile, rows)
        return try SettingsSearch(
            encoder: encoder, original: judged, scores: scores, distances: distances, quality: quality, rows: rows,
            trialDecoder: trialDecoder
        ).walk()
    }

    private struct Trial {
        var adjustments: Adjustments
        /// The binary logarithm of the file size in bytes.
        var bytes: Double
        /// By each metric: rises with quality, about linearly with the logarithm of the bytes.
        var qualities: [Double] = []
    }

    /// The metrics, the fastest first.
    private enum Metric: Int, CaseIterable {
        case haarPSI, ssimulacra2, butteraugli

        /// The least change with a step of the scale, below which a metric tells nothing.
        var leastChange: Double { self == .ssimulacra2 ? 0.05 : 0.002 }
    }

    /// Encodes and decodes the image; returns `nil` as soon as a metric is `refused`.
    private func trial(
        _ adjustments: Adjustments, refused: (_ trial: Trial, _ metric: Metric) -> Bool = { _, _ in false }
    ) throws(CodecError) -> Trial? {
        let (bytes, size) = try encoder.trial(quality: quality, adjustments)
        let candidate = try trialDecoder.decode(bytes, rows.stop)
        var trial = Trial(adjustments: adjustments, bytes: BinaryLogarithm.logarithm(Double(size)))
        for metric in Metric.allCases {
            trial.qualities.append(try quality(of: candidate, by: metric))
            if refused(trial, metric) { return nil }
        }
        return trial
    }

    private func quality(of candidate: PixelBuffer, by metric: Metric) throws(CodecError) -> Double {
        let (stop, threads) = (rows.stop, rows.parallelism)
        let isStopped: @Sendable () -> Bool = { stop?.reason != nil }
        /// Rises by one where the error is halved.
        func quality(error: Double) -> Double { -BinaryLogarithm.logarithm(max(error, 1e-6)) }
        let result: Double?
        do {
            switch metric {
            case .haarPSI: result = quality(error: 1 - (try candidate.haarPSI(against: original)))
            case .ssimulacra2: result = try scores.score(of: candidate, threads: threads, isStopped: isStopped)
            case .butteraugli:
                result = try distances.distance(of: candidate, threads: threads, isStopped: isStopped)
                    .map { quality(error: $0.norm3) }
            }
        } catch {
            throw .pixels(error)
        }
        guard let result else { throw .stopped(stop?.reason ?? .cancelled) }
        return result
    }

    private func walk() throws(CodecError) -> Adjustments {
        guard let costs = try costs() else { return Adjustments() }
        var accepted = [costs.usual]
        var best: Trial { accepted[accepted.count - 1] }
        for (adjustment, up, down) in Self.steps {
            for change in [up, down] {
                var next = best.adjustments
                next[keyPath: adjustment] *= change
                let found = try trial(next) { costs.cost($0, $1) > Self.tolerance }
                guard let found, costs.mean(found) < costs.mean(best) - Self.leastGain else { continue }
                accepted.append(found)
                break
            }
        }
        // Check the result at the default quality; if it is worse there, go back by a step.
        for _ in 0..<Self.checkLimit where accepted.count > 1 {
            let found = try trial(costs.adjustmentsAtUsualQuality(best)) { costs.cost($0, $1) > Self.tolerance }
            if let found, costs.mean(found) < -Self.leastGain { return costs.adjustmentsAtUsualQuality(found) }
            accepted.removeLast()
        }
        return Adjustments()
    }

    /// Measures how size and qualities depend on the scale, from one step coarser to one step finer; returns `nil`
    /// without a clear dependency, which would mislead the search.
    private func costs() throws(CodecError) -> Costs? {
        guard let usual = try trial(Adjustments()), let finer = try trial(Adjustments(scale: Costs.finer)),
            let coarser = try trial(Adjustments(scale: 1 / Costs.finer))
        else { return nil }
        let changes = zip(finer.qualities, coarser.qualities).map { ($0 - $1) / 2 }
        let byteChange = (finer.bytes - coarser.bytes) / 2
        guard byteChange > 0, zip(Metric.allCases, changes).allSatisfy({ $1 > $0.leastChange }) else { return nil }
        return Costs(usual: usual, changes: changes, byteChange: byteChange)
    }

    /// Compares trials with the default settings at their quality. Costs are binary logarithms of bytes.
    private struct Costs {
        let usual: Trial
        /// The changes of the qualities and of the bytes with one step of the scale.
        let changes: [Double]
        let byteChange: Double

        /// A step of the scale.
        static let finer = 0.92

        /// By how many steps a trial is better by a metric.
        private func steps(_ trial: Trial, _ metric: Metric) -> Double {
            let index = metric.rawValue
            return (trial.qualities[index] - usual.qualities[index]) / changes[index]
        }

        /// What a trial takes more by a metric.
        func cost(_ trial: Trial, _ metric: Metric) -> Double {
            trial.bytes - usual.bytes - steps(trial, metric) * byteChange
        }

        private static func mean(_ value: (Metric) -> Double) -> Double {
            Metric.allCases.reduce(0) { $0 + value($1) } / Double(Metric.allCases.count)
        }

        /// What a trial takes more by the mean of the metrics.
        func mean(_ trial: Trial) -> Double { Self.mean { cost(trial, $0) } }

        /// The adjustments of a trial with the scale that has the usual quality by the mean of the metrics.
        func adjustmentsAtUsualQuality(_ trial: Trial) -> Adjustments {
            var adjustments = trial.adjustments
            let scale = -Self.mean { steps(trial, $0) } * BinaryLogarithm.logarithm(Self.finer)
            adjustments.scale *= BinaryLogarithm.power(min(max(scale, -0.5), 0.5))
            return adjustments
        }
    }
}
