import TexelCodecs

/// Makes the ladder of JPEG qualities.
enum JPEGLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        let variants: [ChromaSubsampling] =
            settings.subsampling == .automatic ? [.yuv420, .yuv444] : [settings.subsampling]
        return EncodingLadder(variants: variants.map { steps($0, settings) }, fixedBytes: 600)
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

    /// The steps of one subsampling, up to the quality of the settings. Those of Texel's own encoder have fractions,
    /// for images whose score changes much with an integer step.
    private static func steps(_ subsampling: ChromaSubsampling, _ settings: EncodingSettings) -> [Step] {
        let fraction = settings.effort == .fast ? 1 : 0.125
        return stride(from: 1, through: Double(settings.quality ?? 100), by: fraction).map {
            step($0, subsampling, settings)
        }
    }

    private static func step(
        _ exactQuality: Double, _ subsampling: ChromaSubsampling, _ settings: EncodingSettings
    ) -> Step {
        var options = JPEGOptions(settings)
        options.quality = Int(exactQuality)
        options.qualityFraction = exactQuality - Double(options.quality)
        options.subsampling = subsampling
        let (score, size) = typicalValues(exactQuality, isWhole: subsampling == .yuv444)
        let quality = options.qualityFraction == 0 ? "\(options.quality)" : "\(exactQuality)"
        return Step(
            encoding: .jpeg(options), score: score, size: size, name: "quality \(quality), \(subsampling.rawValue)")
    }

    private static func typicalValues(_ quality: Double, isWhole: Bool) -> (Double, Double) {
        let next = typical.firstIndex { $0.quality >= quality && $0.quality > 1 } ?? typical.count - 1
        let (low, high) = (typical[next - 1], typical[next])
        let part = (quality - low.quality) / (high.quality - low.quality)
        let (from, to) = isWhole ? (low.whole, high.whole) : (low.half, high.half)
        return (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
    }
}
