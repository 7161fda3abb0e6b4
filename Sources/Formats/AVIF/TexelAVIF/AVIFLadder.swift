import TexelCodecs

/// Makes the ladder of AVIF qualities, with the lossless encoding at its end.
enum AVIFLadder {
    private typealias Step = EncodingLadder.Step

    /// There is a step for each quantizer, at the lowest quality that selects it.
    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        var lossless = AVIFOptions(settings)
        lossless.isLossless = true
        let top = Step(encoding: .avif(lossless), score: 100, size: 2.4, name: "lossless")
        if settings.isLossless { return EncodingLadder([top], losslessCount: 1, fixedBytes: 350) }
        var steps: [Step] = []
        var last: (quantizer: Int, hasWholeChroma: Bool)?
        for quality in 1...min(100, max(1, settings.quality ?? 100)) {
            let hasWholeChroma =
                settings.subsampling == .yuv444
                || settings.subsampling == .automatic && quality >= AVIFQuality.wholeChroma
            let quantizer = AVIFQuality.quantizer(quality, hasWholeChroma: hasWholeChroma, settings.effort)
            if let last, last == (quantizer, hasWholeChroma) { continue }
            last = (quantizer, hasWholeChroma)
            var options = AVIFOptions(settings)
            options.quality = quality
            let (score, size) = AVIFQuality.typicalValues(quality)
            steps.append(Step(encoding: .avif(options), score: score, size: size, name: "quality \(quality)"))
        }
        let allowsLossless = settings.quality == nil
        return EncodingLadder(
            steps + (allowsLossless ? [top] : []), losslessCount: allowsLossless ? 1 : 0, fixedBytes: 350)
    }
}
