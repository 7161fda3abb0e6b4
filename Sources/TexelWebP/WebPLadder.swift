import TexelCodecs

/// Makes the ladder of WebP qualities, with the lossless encoding at its end.
enum WebPLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        var lossless = WebPOptions(settings)
        lossless.isLossless = true
        let top = Step(encoding: .webP(lossless), score: 100, size: 1.8, name: "lossless")
        if settings.isLossless { return EncodingLadder([top], losslessCount: 1, fixedBytes: 30) }
        let steps = (1...min(100, max(1, settings.quality ?? 100))).map { quality in
            var options = WebPOptions(settings)
            options.quality = quality
            let (score, size) = typicalValues(quality)
            return Step(encoding: .webP(options), score: score, size: size, name: "quality \(quality)")
        }
        let allowsLossless = settings.quality == nil
        return EncodingLadder(
            steps + (allowsLossless ? [top] : []), losslessCount: allowsLossless ? 1 : 0, fixedBytes: 300)
    }

    /// Typical scores and sizes by quality, measured on three Kodak images.
    private static let typical: [(quality: Int, score: Double, size: Double)] = [
        (1, -10.6, -2.07), (5, 8.8, -1.68), (10, 21.6, -1.42), (20, 37.2, -1.08), (30, 46.5, -0.84), (40, 54, -0.65),
        (50, 59.7, -0.5), (60, 64.6, -0.38), (70, 68.8, -0.25), (75, 70.9, -0.18), (80, 76.5, 0), (85, 80.7, 0.2),
        (90, 85.5, 0.44), (95, 89.1, 0.72), (100, 90.9, 0.98),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let next = max(1, typical.firstIndex { $0.quality >= quality } ?? typical.count - 1)
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(quality - low.quality) / Double(high.quality - low.quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
