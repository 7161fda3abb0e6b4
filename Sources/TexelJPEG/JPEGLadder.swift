import TexelCodecs

/// Makes the ladder of JPEG qualities.
enum JPEGLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        EncodingLadder(
            steps(settings), stepsWithAllColors: settings.subsampling == .automatic ? stepsWithAllColors(settings) : [],
            fixedBytes: 600)
    }

    /// Typical scores and sizes by quality, with chroma at half resolution (4:2:0) and at full resolution (4:4:4).
    /// Measured on two Kodak images encoded with libjpeg-turbo.
    private static let typical: [(quality: Double, half: (Double, Double), whole: (Double, Double))] = [
        (1, (-80, -3.3), (-80, -3.1)), (5, (-51.7, -2.43), (-50.3, -2.17)), (10, (-11.5, -1.8), (-7, -1.65)),
        (20, (32, -1.23), (36.2, -1.11)), (30, (48.2, -0.92), (51.9, -0.83)), (50, (62.9, -0.57), (65.7, -0.47)),
        (70, (72, -0.24), (74.1, -0.13)), (80, (77.5, 0), (79.5, 0.13)), (85, (80.7, 0.17), (82.6, 0.31)),
        (90, (84.4, 0.39), (86.3, 0.54)), (95, (88.8, 0.72), (90.5, 0.9)), (98, (91.7, 1.05), (93.3, 1.26)),
        (100, (92.9, 1.32), (94.5, 1.71)),
    ]

    private struct Choice {
        var quality: Double
        var subsampling: ChromaSubsampling
    }

    private static func steps(_ settings: EncodingSettings) -> [Step] {
        let choices = settings.effort == .fast ? wholeChoices(settings.subsampling) : fineChoices(settings.subsampling)
        let allowed = choices.filter { $0.quality <= Double(settings.quality ?? 100) }
        return (allowed.isEmpty ? Array(choices.prefix(1)) : allowed).map { step($0, settings) }
    }

    private static func stepsWithAllColors(_ settings: EncodingSettings) -> [Step] {
        let first = settings.effort == .fast ? firstWhole : firstFineWhole
        let limit = min(first, Double(settings.quality ?? 100))
        return stride(from: 50, through: limit, by: settings.effort == .fast ? 1 : 0.25).map {
            step(Choice(quality: $0, subsampling: .none444), settings)
        }
    }

    private static func step(_ choice: Choice, _ settings: EncodingSettings) -> Step {
        var options = JPEGOptions(settings)
        options.quality = Int(choice.quality)
        options.qualityFraction = choice.quality - Double(options.quality)
        options.subsampling = choice.subsampling
        let (score, size) = typicalValues(choice.quality, isWhole: choice.subsampling == .none444)
        let quality = options.qualityFraction == 0 ? "\(options.quality)" : "\(choice.quality)"
        return Step(
            encoding: .jpeg(options), score: score, size: size,
            name: "quality \(quality), \(choice.subsampling.rawValue)")
    }

    /// The first qualities with full chroma resolution.
    private static let firstWhole = 87.0
    private static let firstFineWhole = 95.25

    /// The integer qualities of libjpeg. With automatic subsampling, chroma has half resolution up to 89 and full
    /// resolution from 87: at these two the sizes and scores are about equal.
    private static func wholeChoices(_ subsampling: ChromaSubsampling) -> [Choice] {
        guard subsampling == .automatic else {
            return (1...100).map { Choice(quality: Double($0), subsampling: subsampling) }
        }
        return (1...89).map { Choice(quality: Double($0), subsampling: .quarter420) }
            + stride(from: firstWhole, through: 100, by: 1).map { Choice(quality: $0, subsampling: .none444) }
    }

    /// The qualities of Texel's own encoder, with fractions where an integer step changes much. With automatic
    /// subsampling, chroma has half resolution except at the highest qualities; full resolution begins at a lower
    /// quality, where bytes and score continue from there.
    private static func fineChoices(_ subsampling: ChromaSubsampling) -> [Choice] {
        let parts: [(range: Range<Double>, step: Double)] = [
            (1..<20, 0.125), (20..<40, 0.5), (40..<85, 1), (85..<96, 0.5), (96..<100.1, 0.125),
        ]
        let choices = parts.flatMap { part in
            stride(from: part.range.lowerBound, to: part.range.upperBound, by: part.step).map {
                Choice(quality: $0, subsampling: subsampling)
            }
        }
        guard subsampling == .automatic else { return choices }
        return choices.filter { $0.quality < 97 }
            + stride(from: firstFineWhole, through: 100, by: 0.125).map { Choice(quality: $0, subsampling: .none444) }
    }

    private static func typicalValues(_ quality: Double, isWhole: Bool) -> (Double, Double) {
        let next = typical.firstIndex { $0.quality >= quality && $0.quality > 1 } ?? typical.count - 1
        let (low, high) = (typical[next - 1], typical[next])
        let part = (quality - low.quality) / (high.quality - low.quality)
        let (from, to) = isWhole ? (low.whole, high.whole) : (low.half, high.half)
        return (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
    }
}
