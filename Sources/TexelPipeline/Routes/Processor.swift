package import TexelCodecs
import TexelFormats
import TexelPixels

/// Runs a plan on one image in memory, from encoded bytes to encoded bytes.
///
/// Uses the calling thread and as many others as `parallelism` allows; checks between bands of rows whether to stop.
package struct Processor {
    let source: ImageSource
    let recipe: Recipe
    let plan: Plan
    let limits: Limits
    let strictness: Strictness
    let stopCheck: StopCheck?
    let parallelism: @Sendable () -> Int
    let rowCounter: RowCounter?

    /// - Parameters:
    ///   - parallelism: returns the number of threads that may share the work; called when a step begins.
    ///   - rowCounter: counts the finished rows.
    package init(
        _ source: ImageSource, recipe: Recipe, plan: Plan, limits: Limits = Limits(),
        strictness: Strictness = .truncated, stopCheck: StopCheck? = nil,
        parallelism: @escaping @Sendable () -> Int = { 1 }, rowCounter: RowCounter? = nil
    ) {
        self.source = source
        self.recipe = recipe
        self.plan = plan
        self.limits = limits
        self.strictness = strictness
        self.stopCheck = stopCheck
        self.parallelism = parallelism
        self.rowCounter = rowCounter
    }

    package func run() throws(PipelineError) -> EncodedImage {
        let image = try withoutGrowth(try process())
        rowCounter?.finish()
        return try notingAttachments(image)
    }

    /// The format of the result.
    var format: ImageFormat { plan.format ?? source.info.format }

    var keepsAttachments: Bool { recipe.output.metadata == .all }

    func keptParts(keepsColor: Bool) -> KeptParts {
        var parts: KeptParts = keepsAttachments ? [.attachments] : []
        if keepsColor { parts.insert(.color) }
        return parts
    }

    /// The result, before it is compared with the input.
    func process() throws(PipelineError) -> EncodedImage {
        var keepsAllBits = false
        switch plan.route {
        case .passthrough where try isSound(): return encoded(try original(), size: source.info.size)
        case .recompress where try isSound():
            switch try recompressed() {
            case .file(let bytes):
                let result = encoded(bytes, size: source.info.size)
                return isKeepable([]) ? try smaller(result, minimumGain: 0, keeping: []) : result
            case .impossible: return encoded(try original(), size: source.info.size, isKept: true)
            case .fitsEightBits: keepsAllBits = true
            }
        case .losslessTransform: if let result = try moved() { return result }
        case .planar:
            try refuseLoss()
            return try planar()
        default: break
        }
        try refuseAnimation()
        try refuseLoss()
        expectPixels()
        return try written(try pixelRoute.load(), keepsAllBits: keepsAllBits)
    }

    /// Whether the plan begins by decoding to pixels, which plans for the same image can share.
    var beginsWithPixels: Bool { plan.route == .streaming || plan.route == .buffered }

    // MARK: Planes

    private func planar() throws(PipelineError) -> EncodedImage {
        var options = decodeOptions
        options.shrink = plan.shrink
        guard let planar = plan.encoding?.options as? any PlanarOptions else {
            throw .codec(.unsupported("encoding planes"))
        }
        let context = encodingContext(writtenMetadata(source.info.metadata, size: plan.outputSize))
        let planes = PlanarRoute(
            plan, planar.planeEncoder(context), isParallel: context.parallelism > 1, rowCounter: rowCounter)
        // Moved planes and balanced effort need the whole image before encoding; otherwise rows are encoded one by one.
        let isHeldBack = plan.moves != .identity || plan.output.effort != .fast
        rowCounter?.expect(decodedHeight(shrink: plan.shrink) + (isHeldBack ? encodingRows : 0))
        let (bytes, notes) = try PipelineError.wrapping { () throws(CodecError) in
            try planes.run { () throws(CodecError) in try source.planeDecoder(options) }
        }
        let result = encoded(
            bytes, size: plan.outputSize, warnings: notes.warnings + encodingNotes + effortNotes)
        return isKeepable(notes.warnings)
            ? try smaller(result, minimumGain: minimumGain, keeping: notes.warnings) : result
    }

    /// - Throws: `animated` if the result would lose frames and the recipe does not choose one.
    private func refuseAnimation() throws(PipelineError) {
        let info = source.info
        if info.isAnimation, recipe.frame == nil { throw .codec(.animated(frames: info.frameCount)) }
    }

    /// - Throws: `notLossless` if pixels would be encoded with loss although the recipe allows only the file's own
    ///   coefficients.
    private func refuseLoss() throws(PipelineError) {
        let output = recipe.output
        guard output.isLossless || output.trimsPartialBlocks, !plan.result.capabilities.isLossless else { return }
        switch plan.losslessTransform {
        case .impossible(let obstacle): throw .notLossless("\(obstacle)")
        case .possible: throw .notLossless("its coefficients cannot be copied")
        case .inapplicable where output.isLossless:
            throw .notLossless("new pixels are encoded as a \(format.displayName)")
        case .inapplicable: return
        }
    }

    // MARK: Samples

    private func recompressed() throws(PipelineError) -> Recompressed {
        // Decoding has counted these rows already.
        var options = decodeOptions
        options.rowCounter = nil
        rowCounter?.expect(encodingRows)
        return try PipelineError.wrapping { () throws(CodecError) in
            try source.recompressed(
                settings: plan.output.settings,
                metadata: writtenMetadata(source.info.metadata, size: source.info.size),
                keeping: keptParts(keepsColor: recipe.output.metadata != .none), options: options,
                parallelism: parallelism(), progress: encodingProgress)
        }
    }

    /// The lossy file's own coefficients in fewer bytes; `nil` if the effort is `fast`.
    func optimized() throws(PipelineError) -> [UInt8]? {
        guard source.info.format.capabilities.isLossy, plan.route != .recompress, plan.output.effort != .fast,
            case .file(let bytes) = try recompressed()
        else { return nil }
        return bytes
    }

    /// Codes moved coefficients again in fewer bytes.
    private func optimized(_ moved: [UInt8]) throws(PipelineError) -> [UInt8] {
        let recompressed = try PipelineError.wrapping { () throws(CodecError) in
            let source = try ImageSource(InputBytes(moved), limits: limits)
            return try source.recompressed(
                settings: plan.output.settings,
                metadata: writtenMetadata(self.source.info.metadata, size: source.info.size),
                keeping: recipe.output.metadata == .none ? [] : [.color], options: decodeOptions,
                parallelism: parallelism(), progress: nil)
        }
        guard case .file(let bytes) = recompressed, bytes.count < moved.count else { return moved }
        return bytes
    }

    // MARK: Coefficients

    /// The result of moving coefficients; `nil` if they turn out not to be movable, so that pixels must be.
    private func moved() throws(PipelineError) -> EncodedImage? {
        guard case .possible(let move) = plan.losslessTransform else { return nil }
        rowCounter?.expect(move.size.height)
        let moved = try PipelineError.wrapping { () throws(CodecError) in
            try source.moved(
                move, settings: recipe.output.settings,
                metadata: writtenMetadata(source.info.metadata, size: move.size),
                keeping: recipe.output.metadata == .none ? [] : [.color], options: decodeOptions)
        }
        guard var moved else { return nil }
        if recipe.output.compresses { moved.bytes = try optimized(moved.bytes) }
        let result = encoded(moved.bytes, size: move.size, warnings: moved.warnings + trimNotes)
        return isKeepable(moved.warnings) ? try smaller(result, minimumGain: 0, keeping: moved.warnings) : result
    }

    // MARK: Pixels

    var pixelRoute: PixelRoute {
        PixelRoute(source, plan: plan, options: decodeOptions, parallelism: parallelism)
    }

    /// Announces the rows of decoding to pixels and of encoding to the row counter.
    func expectPixels() {
        // A search counts each of its encodings.
        let written = recipe.output.target.isSet ? TargetSearch.attemptLimit * plan.outputSize.height : encodingRows
        rowCounter?.expect(decodedHeight(shrink: plan.shrink) + written)
    }

    /// The work of encoding, in rows of decoding.
    private var encodingRows: Int { plan.outputSize.height * (plan.encoding?.options.rowsOfWork ?? 0) }

    private var encodingProgress: EncodingProgress? {
        rowCounter.map { EncodingProgress($0, rowCount: encodingRows) }
    }

    /// Runs the steps after decoding on pixels that were decoded elsewhere.
    func finish(_ image: consuming DecodedImage) throws(PipelineError) -> EncodedImage {
        try refuseAnimation()
        try refuseLoss()
        let result = try withoutGrowth(try written(image, keepsAllBits: false))
        rowCounter?.finish()
        return try notingAttachments(result)
    }

    /// - Parameter keepsAllBits: whether 8 bits hold the file's samples exactly.
    private func written(
        _ loaded: consuming DecodedImage, keepsAllBits: Bool
    ) throws(PipelineError) -> EncodedImage {
        let (decoded, notes) = try pixelRoute.finish(loaded)
        if recipe.output.target.isSet { return try aimed(decoded, notes: notes) }
        let (size, warnings) = (decoded.image.size, decoded.warnings)
        let losses = (keepsAllBits ? [] : bitLosses) + inkLosses + rangeLosses
        var result = encoded(
            try encode(consume decoded), size: size, warnings: warnings + notes + losses + encodingNotes + effortNotes)
        if plan.route != .streaming { result.route = .buffered }
        if isKeepable(warnings) { return try smaller(result, minimumGain: minimumGain, keeping: warnings) }
        return try smallerThanWithProfile(result, keeping: warnings)
    }

    private func encode(_ decoded: consuming DecodedImage) throws(PipelineError) -> [UInt8] {
        guard let encoding = plan.encoding else { throw .codec(.cannotEncode("the format cannot be written")) }
        let context = encodingContext(writtenMetadata(decoded.metadata, size: decoded.image.size))
        do throws(CodecError) {
            return try encoding.options.encode(decoded.takePixels(), context)
        } catch {
            throw .codec(error)
        }
    }

    private func encodingContext(_ metadata: WrittenMetadata) -> EncodingContext {
        var context = EncodingContext(
            metadata: metadata, background: background, stopCheck: stopCheck, parallelism: parallelism())
        context.progress = encodingProgress
        return context
    }

    /// The colour under transparent pixels in a format without alpha.
    private var background: PixelColor { recipe.output.background ?? .white }

    // MARK: Targets

    /// The result of a search for the recipe's target.
    private func aimed(_ decoded: DecodedImage, notes: [String]) throws(PipelineError) -> EncodedImage {
        let target = recipe.output.target
        let height = decoded.image.height
        let threads = parallelism()
        let search = TargetSearch(
            target: target, ladder: try ladder(), threads: threads,
            stopCheck: stopCheck,
            makeEncoder: { pixels in
                let context = EncodingContext(
                    metadata: writtenMetadata(decoded.metadata, size: pixels.size), background: background,
                    stopCheck: stopCheck, parallelism: threads)
                return searchableCodec?.attempts(at: pixels, context) ?? IndependentAttempts(pixels, context)
            },
            onAttempt: { rowCounter?.advance(by: height) })
        let kept = isKeepable(decoded.warnings) ? try keptOriginal(within: target.byteLimit, decoded.warnings) : nil
        // The original itself is within the limit, and no encoding is closer to it.
        let limitsColors = plan.palette != nil
        if let kept, target.score == nil, !limitsColors { return kept }
        let found: TargetSearch.Found
        do throws(PipelineError) {
            found = try search.run(decoded.image)
        } catch {
            guard case .target = error, let kept, !limitsColors else { throw error }
            return kept
        }
        if let kept, !isGain(found.bytes.count, over: kept.bytes.count, minimumGain) { return kept }
        let warnings = decoded.warnings + notes + bitLosses + inkLosses + rangeLosses + effortNotes
        var result = encoded(found.bytes, size: found.size, warnings: warnings)
        if plan.route != .streaming { result.route = .buffered }
        (result.score, result.searchSummary) = (found.score, found.summary)
        return result
    }

    private var searchableCodec: (any SearchableCodec)? { format.codec as? any SearchableCodec }

    /// The encodings to search.
    private func ladder() throws(PipelineError) -> EncodingLadder {
        if let searchableCodec { return searchableCodec.ladder(plan.output.settings) }
        guard let encoding = plan.encoding else { throw .codec(.cannotEncode("the format cannot be written")) }
        return EncodingLadder(only: encoding)
    }

    func encoded(
        _ bytes: [UInt8], size: PixelSize, isKept: Bool = false, warnings: [String] = []
    ) -> EncodedImage {
        EncodedImage(
            bytes: bytes, size: size, format: format, route: plan.route, isKept: isKept, warnings: warnings)
    }

    /// Whether a file whose pixels are copied can be decoded: a damaged input must not become a damaged output. The
    /// image is decoded at the smallest scale, which still reads everything.
    private func isSound() throws(PipelineError) -> Bool {
        var options = decodeOptions
        options.shrink = source.info.decodeScales.max() ?? 1
        options.readsUnneededScans = true
        rowCounter?.expect(decodedHeight(shrink: options.shrink))
        let notes = try PipelineError.wrapping { () throws(CodecError) in
            let decoder = try source.decoder(options)
            let reader = RowReader(decoder, rowCounter)
            let band = try reader.makeBand()
            while try reader.read(into: band) {}
            return try decoder.finish()
        }
        return !isDamaged(notes.warnings)
    }

    // MARK: Reading

    private var decodeOptions: DecodeOptions {
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        options.stopCheck = stopCheck
        options.rowCounter = rowCounter
        options.frame = plan.frame
        return options
    }

    /// The number of rows that a decoder returns.
    private func decodedHeight(shrink: Int) -> Int {
        return (source.info.size.height + shrink - 1) / shrink
    }

    // MARK: Metadata

    func writtenMetadata(_ metadata: ImageMetadata, size: PixelSize) -> WrittenMetadata {
        var written = metadata.kept(
            under: recipe.output.metadata, orientation: plan.writtenOrientation, size: size,
            keepsThumbnail: !plan.changesPixels)
        if plan.turnsSides { written.density = written.density?.transposed }
        return written
    }
}
