import TexelCodecs

/// Makes the ladder of WebP qualities, with the lossless encoding at its end.
enum WebPLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        var lossless = WebPOptions(settings)
        lossless.isLossless = true
        let top = Step(encoding: .webP(lossless), score: 100, size: 2.2, name: "lossless")
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

    /// Typical scores and sizes by quality; measured on two Kodak images.
    private static let typical: [(quality: Int, score: Double, size: Double)] = [
        (1, -10, -2.1), (100, 92, 1.3),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let next = max(1, typical.firstIndex { $0.quality >= quality } ?? typical.count - 1)
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(quality - low.quality) / Double(high.quality - low.quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
