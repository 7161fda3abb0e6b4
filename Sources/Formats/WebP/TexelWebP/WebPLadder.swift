import TexelCodecs

/// Makes the ladder of WebP qualities, with the lossless encoding at its end.
enum WebPLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        let given = WebPOptions(settings)
        if let level = given.nearLossless, given.isLossy {
            let only = Step(encoding: .webP(given), score: 95, size: 1.6, name: "near-lossless \(level)")
            return EncodingLadder([only], fixedBytes: 30)
        }
        var lossless = given
        lossless.nearLossless = nil
        lossless.isLossless = true
        let top = Step(encoding: .webP(lossless), score: 100, size: 1.8, name: "lossless")
        if given.isLossless {
            return EncodingLadder([top], losslessCount: 1, fixedBytes: 30)
        }
        // Lower and higher qualities give the same files as these.
        let steps = (10...min(98, max(10, settings.quality ?? 98))).map { quality in
            var options = given
            options.quality = quality
            let (score, size) = typicalValues(quality)
            return Step(encoding: .webP(options), score: score, size: size, name: "quality \(quality)")
        }
        let allowsLossless = settings.quality == nil
        return EncodingLadder(
            steps + (allowsLossless ? [top] : []), losslessCount: allowsLossless ? 1 : 0, fixedBytes: 300)
    }

    /// Typical scores and sizes by quality, measured on seven photographs.
    private static let typical: [(quality: Int, score: Double, size: Double)] = [
        (10, -5, -1.97), (20, 32.3, -1.38), (30, 48.9, -0.97), (40, 58.2, -0.72), (50, 63.6, -0.57), (60, 67.4, -0.44),
        (70, 72.7, -0.26), (80, 78.2, 0), (85, 81.2, 0.15), (90, 84.7, 0.37), (95, 89, 0.79), (98, 90, 0.99),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let next = max(1, typical.firstIndex { $0.quality >= quality } ?? typical.count - 1)
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(quality - low.quality) / Double(high.quality - low.quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
