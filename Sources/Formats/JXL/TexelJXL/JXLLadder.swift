import TexelCodecs

/// Makes the ladder of JPEG XL qualities, with the lossless encoding at its end.
enum JXLLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        var lossless = JXLOptions(settings)
        lossless.isLossless = true
        let top = Step(encoding: .jxl(lossless), score: 100, size: 1.8, name: "lossless")
        if settings.isLossless { return EncodingLadder([top], losslessCount: 1, fixedBytes: 30) }
        let steps = (10...min(100, max(10, settings.quality ?? 100))).map { quality in
            var options = JXLOptions(settings)
            options.quality = quality
            let (score, size) = typicalValues(quality)
            return Step(encoding: .jxl(options), score: score, size: size, name: "quality \(quality)")
        }
        let allowsLossless = settings.quality == nil
        return EncodingLadder(
            steps + (allowsLossless ? [top] : []), losslessCount: allowsLossless ? 1 : 0, fixedBytes: 60)
    }

    /// Typical scores and sizes by quality, measured on photographs.
    private static let typical: [(quality: Int, score: Double, size: Double)] = [
        (10, -10.1, -2.3), (20, 31.9, -1.41), (30, 48.5, -0.99), (40, 57.8, -0.74), (50, 63.5, -0.58),
        (60, 67.5, -0.44), (70, 72.4, -0.26), (75, 74.9, -0.16), (80, 78.3, 0), (85, 81.2, 0.16), (90, 84.8, 0.37),
        (95, 88.9, 0.68), (98, 92.7, 1.14), (100, 94.6, 1.7),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(_ quality: Int) -> (score: Double, size: Double) {
        let next = max(1, typical.firstIndex { $0.quality >= quality } ?? typical.count - 1)
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(quality - low.quality) / Double(high.quality - low.quality)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
