import TexelCodecs
import TexelCore
import TexelPixels

/// The input's own pixel data, with the metadata that the recipe keeps; they may replace a result.
struct OriginalFile {
    private let image: PlannedImage
    private let context: RouteContext

    init(_ image: PlannedImage, _ context: RouteContext) {
        self.image = image
        self.context = context
    }

    private var recipe: Recipe { image.recipe }

    /// Whether the input's own pixel data may replace a result.
    ///
    /// - Parameter notes: what the decoder said.
    func isKeepable(_ notes: DecoderResult = DecoderResult()) -> Bool {
        recipe.output.keepsSmallerOriginal && !image.changesPixels && !context.isDamaged(notes)
    }

    /// The number of the file's bytes.
    ///
    /// - Parameter keepsColor: whether the profile is kept; `nil` follows the recipe.
    func byteCount(keepsColor: Bool? = nil) throws(TexelError) -> Int {
        try OutputSink.count { sink throws(TexelError) in try write(to: sink, keepsColor: keepsColor) }
    }

    /// The file's bytes.
    private func bytes(keepsColor: Bool? = nil) throws(TexelError) -> EncodedBytes {
        let sink = OutputSink(context.overflow)
        try write(to: sink, keepsColor: keepsColor)
        return sink.finish()
    }

    private func write(to sink: OutputSink, keepsColor: Bool?) throws(TexelError) {
        let source = context.source
        try source.rewrite(
            metadata: image.writtenMetadata(
                source.info.metadata, size: source.info.size, to: source.info.format,
                keepsAttachments: image.keepsAttachments),
            keeping: image.keptParts(keepsColor: keepsColor ?? image.keepsColor), to: sink, stop: context.stop)
    }

    /// The file as the result.
    ///
    /// - Parameters:
    ///   - isKept: whether it replaces another result.
    ///   - warnings: what was tolerated while the input was decoded.
    func file(isKept: Bool = false, warnings: [String]) throws(TexelError) -> EncodedImage {
        file(try bytes(), isKept: isKept, warnings)
    }

    private func file(_ content: EncodedBytes, isKept: Bool = true, _ warnings: [String]) -> EncodedImage {
        let info = context.source.info
        return EncodedImage(
            content, size: info.size, format: info.format, route: image.route, isKept: isKept, warnings: warnings)
    }

    // MARK: Instead of a result

    /// Returns whether a file of `count` bytes is smaller than one of `original` by this share of `original`.
    static func isGain(_ count: Int, over original: Int, _ share: Double) -> Bool {
        count < original && Double(original - count) >= share * Double(original)
    }

    /// Returns the result, or the input's own pixel data if the gain is below `minimumGain`.
    ///
    /// - Parameters:
    ///   - warnings: what was tolerated while the input was decoded.
    ///   - encoding: how the input's own coefficients, if it has any, are coded in fewer bytes; `nil` if they are not.
    func file(
        unlessSmaller result: EncodedImage, by minimumGain: Double, warnings: [String] = [],
        recompressing encoding: PlannedEncoding? = nil
    ) throws(TexelError) -> EncodedImage {
        let count = try byteCount()
        if Self.isGain(result.byteCount, over: count, minimumGain) { return result }
        let info = context.source.info
        // To code coefficients again, all of them must be in memory.
        if let encoding, info.format.capabilities.isLossy, encoding.output.effort != .fast, !encoding.savesMemory,
            case .file(let bytes) = try encoding.recompressed(image, context), bytes.count < count
        {
            return encoding.file(bytes, size: info.size, route: .recompress, warnings: warnings)
        }
        return file(try bytes(), warnings)
    }

    /// Returns the result, or the input with its profile if the colours were converted only to omit the profile and
    /// that made the file larger.
    func fileKeepingProfile(
        unlessSmaller result: EncodedImage, _ notes: DecoderResult
    ) throws(TexelError) -> EncodedImage {
        guard image.changesOnlyColors, recipe.output.compresses, recipe.output.keepsSmallerOriginal,
            !context.isDamaged(notes)
        else { return result }
        if result.byteCount < (try byteCount(keepsColor: true)) { return result }
        return file(
            try bytes(keepsColor: true),
            notes.warnings + ["the colour profile was kept: without it the file would be larger"])
    }

    /// Returns the file if it is within the recipe's limit of bytes.
    func fileWithinTarget(_ warnings: [String]) throws(TexelError) -> EncodedImage? {
        let target = recipe.output.target
        guard try byteCount() <= target.byteLimit ?? .max else { return nil }
        var kept = file(try bytes(), warnings)
        kept.score = target.score == nil ? nil : target.metric.best
        kept.searchSummary = "the input's own pixels"
        return kept
    }
}
