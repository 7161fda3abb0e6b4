import TexelCodecs
import TexelPixels

/// Finds the adjustments with which an image takes the fewest bytes at the SSIMULACRA2 score of the default settings.
///
/// Changes one adjustment after the other by one step, up or down; more steps would fit the image to the metric's
/// weaknesses. The number of trials is limited, and large images are judged by a part.
struct SettingsSearch {
    private let encoder: TrellisJPEGEncoder
    private let reference: SSIMULACRA2Reference
    private let quality: Double
    private let rows: BlockRows
    private let trialDecoder: TrialDecoder

    /// The maximum size of the judged part, in pixels.
    static let judgedPixels = 1_000_000

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

    /// Returns the adjustments for an image.
    ///
    /// - Parameter image: opaque pixels.
    /// - Throws: `outOfMemory`, `stopped`, `pixels`.
    static func adjustments(
        _ image: PixelBuffer, isGray: Bool, sampling: (horizontal: Int, vertical: Int), quality: Double,
        _ rows: BlockRows, _ trialDecoder: TrialDecoder
    ) throws(CodecError) -> QuantizationSettings.Adjustments {
        let judged: PixelBuffer
        let reference: SSIMULACRA2Reference
        do {
            judged = try image.cropped(to: part(of: image.size))
            reference = try SSIMULACRA2Reference(judged)
        } catch {
            throw .pixels(error)
        }
        let frequencies = try ImageCoefficients(judged, isGray: isGray, sampling: sampling, rows)
        let profile: ICCProfile?
        do { profile = try judged.colorSpace.embeddableProfile() } catch { throw .pixels(error) }
        let encoder = TrellisJPEGEncoder(
            frequencies, isProgressive: nil, metadata: WrittenMetadata(), profile: profile, rows)
        return try SettingsSearch(
            encoder: encoder, reference: reference, quality: quality, rows: rows, trialDecoder: trialDecoder
        ).walk()
    }

    /// Returns the part to judge: the centre of a large image, with the same aspect ratio.
    static func part(of size: PixelSize) -> PixelRectangle {
        let pixels = Double(size.width) * Double(size.height)
        guard pixels > Double(judgedPixels) else { return PixelRectangle(covering: size) }
        let factor = (Double(judgedPixels) / pixels).squareRoot()
        // Sides of at least 256 pixels. For a narrow image: its full width and more of its length.
        func side(_ length: Int, beside other: Int) -> Int { min(length, max(256, judgedPixels / other)) }
        let across = max(1, min(size.width, Int(Double(size.width) * factor)))
        let width = side(size.width, beside: side(size.height, beside: across))
        let height = side(size.height, beside: width)
        return PixelRectangle(
            x: (size.width - width) / 32 * 16, y: (size.height - height) / 32 * 16, width: width, height: height)
    }

    private struct Trial {
        var adjustments: Adjustments
        /// The binary logarithm of the file size in bytes.
        var bytes: Double
        var score: Double
    }

    private func trial(_ adjustments: Adjustments) throws(CodecError) -> Trial {
        let (bytes, size) = try encoder.trial(quality: quality, adjustments)
        let stop = rows.stop
        let candidate = try trialDecoder.decode(bytes, stop)
        let score: Double?
        do {
            score = try reference.score(of: candidate, threads: rows.parallelism) { stop?.reason != nil }
        } catch {
            throw .pixels(error)
        }
        guard let score else { throw .stopped(stop?.reason ?? .cancelled) }
        return Trial(adjustments: adjustments, bytes: BinaryLogarithm.logarithm(Double(size)), score: score)
    }

    private func walk() throws(CodecError) -> Adjustments {
        let usual = try trial(Adjustments())
        // Measure how size and score depend on the scale.
        let finer = try trial(Adjustments(scale: Self.finer))
        let gain = finer.score - usual.score
        // Without a clear dependency the search would be misled.
        guard gain > 0.05, finer.bytes > usual.bytes else { return Adjustments() }
        let bytesPerPoint = (finer.bytes - usual.bytes) / gain
        var best = usual
        func cost(_ trial: Trial) -> Double { trial.bytes - bytesPerPoint * trial.score }
        for (adjustment, up, down) in Self.steps {
            for change in [up, down] {
                var next = best.adjustments
                next[keyPath: adjustment] *= change
                let found = try trial(next)
                guard cost(found) < cost(best) - Self.leastGain else { continue }
                best = found
                break
            }
        }
        // Return to the default score.
        var adjustments = best.adjustments
        let points = (usual.score - best.score) / gain
        adjustments.scale = BinaryLogarithm.power(
            BinaryLogarithm.logarithm(Self.finer) * min(max(points, -4), 4))
        return adjustments
    }

    private static let finer = 0.92
}
