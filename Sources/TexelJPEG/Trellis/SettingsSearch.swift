import TexelCodecs
import TexelPixels

/// Finds the adjustments with which an image takes the fewest bytes at the quality of the default settings: by the mean of
/// SSIMULACRA2, Butteraugli's 3-norm and HaarPSI, and by none of them more bytes than with the default settings.
///
/// Changes one adjustment after the other by one step, up or down; more steps would fit the image to the metrics'
/// weaknesses. The number of trials is limited, and large images are judged by tiles.
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
            (\.weighting, 1.35, 0.65), (\.chromaMeans, 0.8, 1.2),
        ]
    }

    /// The maximum number of trials.
    static var trialLimit: Int { 2 + 2 * steps.count }

    /// The minimum gain for a step to be kept, as a binary logarithm of bytes.
    private static let leastGain = 0.0012
    /// By how much a step may be worse than the default settings by one metric, as a binary logarithm of bytes.
    private static let tolerance = 0.0004

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
        var qualities: SIMD3<Double>
    }

    /// The least change of each quality from the default settings to finer ones, below which a metric tells nothing.
    private static let leastChange = SIMD3(0.05, 0.002, 0.002)

    private func trial(_ adjustments: Adjustments) throws(CodecError) -> Trial {
        let (bytes, size) = try encoder.trial(quality: quality, adjustments)
        let candidate = try trialDecoder.decode(bytes, rows.stop)
        return Trial(
            adjustments: adjustments, bytes: BinaryLogarithm.logarithm(Double(size)),
            qualities: try qualities(of: candidate))
    }

    private func qualities(of candidate: PixelBuffer) throws(CodecError) -> SIMD3<Double> {
        let (stop, threads) = (rows.stop, rows.parallelism)
        do {
            if let score = try scores.score(of: candidate, threads: threads, isStopped: { stop?.reason != nil }),
                let distance = try distances.distance(
                    of: candidate, threads: threads, isStopped: { stop?.reason != nil })
            {
                let similarity = try candidate.haarPSI(against: original)
                return SIMD3(
                    score, -BinaryLogarithm.logarithm(max(distance.norm3, 1e-6)),
                    -BinaryLogarithm.logarithm(max(1 - similarity, 1e-6)))
            }
        } catch {
            throw .pixels(error)
        }
        throw .stopped(stop?.reason ?? .cancelled)
    }

    private func walk() throws(CodecError) -> Adjustments {
        let usual = try trial(Adjustments())
        // Measure how size and qualities depend on the scale.
        let finer = try trial(Adjustments(scale: Self.finer))
        let changes = finer.qualities - usual.qualities
        // Without a clear dependency the search would be misled.
        guard all(changes .> Self.leastChange), finer.bytes > usual.bytes else { return Adjustments() }
        /// What a trial takes at the default quality by each metric, compared with the default settings.
        func costs(_ trial: Trial) -> SIMD3<Double> {
            let steps = (trial.qualities - usual.qualities) / changes
            return SIMD3(repeating: trial.bytes - usual.bytes) - steps * (finer.bytes - usual.bytes)
        }
        var best = usual
        for (adjustment, up, down) in Self.steps {
            for change in [up, down] {
                var next = best.adjustments
                next[keyPath: adjustment] *= change
                let found = try trial(next)
                let foundCosts = costs(found)
                guard foundCosts.sum() < costs(best).sum() - 3 * Self.leastGain, foundCosts.max() <= Self.tolerance
                else { continue }
                best = found
                break
            }
        }
        // Return to the default quality.
        var adjustments = best.adjustments
        let steps = ((usual.qualities - best.qualities) / changes).sum() / 3
        adjustments.scale = BinaryLogarithm.power(BinaryLogarithm.logarithm(Self.finer) * min(max(steps, -4), 4))
        return adjustments
    }

    private static let finer = 0.92
}
