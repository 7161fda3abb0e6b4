import TexelCodecs

/// Makes the ladder of JPEG qualities, with deflate at its end.
enum TIFFLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        var options = TIFFOptions(settings)
        options.compression = .deflate
        let top = Step(encoding: .tiff(options), score: 100, size: 2.2, name: "lossless")
        if settings.isLossless { return EncodingLadder([top], losslessCount: 1, fixedBytes: 200) }
        let steps = (1...min(100, max(1, settings.quality ?? 100))).map { quality in
            options.compression = .jpeg(quality: quality)
            let (score, size) = typicalValues(quality)
            return Step(encoding: .tiff(options), score: score, size: size, name: "quality \(quality)")
        }
        let allowsLossless = settings.quality == nil
        return EncodingLadder(
            steps + (allowsLossless ? [top] : []), losslessCount: allowsLossless ? 1 : 0, fixedBytes: 700)
    }

    /// Typical scores and sizes by quality: those of a JPEG by libjpeg-turbo, because the strips are coded by it.
    private static let typical: [(quality: Int, score: Double, size: Double)] = [
        (1, -80, -3.3), (5, -51.7, -2.43), (10, -11.5, -1.8), (20, 32, -1.23), (30, 48.2, -0.92), (50, 62.9, -0.57),
        (70, 72, -0.24), (80, 77.5, 0), (89, 83.6, 0.35), (90, 86.3, 0.54), (95, 90.5, 0.9), (98, 93.3, 1.26),
        (100, 94.5, 1.71),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let next = max(1, typical.firstIndex { $0.quality >= quality } ?? typical.count - 1)
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(quality - low.quality) / Double(high.quality - low.quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
