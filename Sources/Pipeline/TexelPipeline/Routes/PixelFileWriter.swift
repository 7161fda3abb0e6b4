import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Finishes the pixels of a route, and encodes them: once, or repeatedly in the search for a target.
struct PixelFileWriter {
    private let route: any PixelRoute
    private let context: RouteContext
    /// Whether 8 bits hold the file's samples exactly.
    private let keepsAllBits: Bool
    private let original: OriginalFile

    init(_ route: any PixelRoute, _ context: RouteContext, keepsAllBits: Bool) {
        self.route = route
        self.context = context
        self.keepsAllBits = keepsAllBits
        original = OriginalFile(route.image, context)
    }

    private var image: PlannedImage { route.image }

    private var losses: LossNotes {
        LossNotes(context.source.info, image.recipe, convertsColors: image.convertsColors)
    }

    /// Applies the route's steps to the loaded image, and encodes it.
    func file(_ loaded: consuming DecodedImage) throws(TexelError) -> EncodedImage {
        guard let encoding = route.encoding else { throw .cannotEncode("the result is not a file") }
        let (decoded, notes) = try route.finished(loaded, context)
        if encoding.output.target.isSet { return try searched(decoded, encoding, notes: notes) }
        let (size, decoderNotes) = (decoded.image.size, decoded.notes)
        return try file(
            .memory(try encoded(consume decoded, encoding)), size: size, encoding, decoderNotes, notes: notes)
    }

    /// Makes the file of the route's rows, which are encoded as they are made.
    func fileOfRows() throws(TexelError) -> EncodedImage {
        try route.refuseLosses(context)
        guard let encoding = route.encoding, let options = try encoding.options() as? any RowOptions else {
            throw .cannotEncode("the result is not a file")
        }
        context.rowCounter?.expect(context.decodedHeight(shrink: route.shrink))
        let (content, decoderNotes) = try encodedRows(options, encoding)
        return try file(content, size: image.size, encoding, decoderNotes, notes: [])
    }

    /// Decodes the rows as often as the encoder needs them.
    private func encodedRows(
        _ options: any RowOptions, _ encoding: PlannedEncoding
    ) throws(TexelError) -> (EncodedBytes, DecoderResult) {
        var metadata = context.source.info.metadata
        var encoder: (any RowEncoder)?
        while true {
            let decoder = try context.decoder(context.decodeOptions(image, shrink: route.shrink))
            let shape = RasterShape(size: image.size, alphaMode: route.resultAlphaMode(of: decoder.alphaMode))
            let current =
                if let encoder { encoder } else {
                    try options.rowEncoder(
                        shape, route.resultColorSpace(of: decoder.colorSpace),
                        encoding.context(image, metadata, size: image.size, context))
                }
            encoder = current
            let consumer = RowReceiver.BandConsumer(height: current.bandHeight) { rows throws(TexelError) in
                try current.take(rows, parallelism: context.parallelism())
            }
            let receiver = try RowReceiver(route, of: decoder, to: consumer)
            let notes = try RowReceiver.read(decoder, isParallel: context.parallelism() > 1) {
                band throws(TexelError) in
                try receiver.take(band)
                context.rowCounter?.advance(by: band.rows.count)
            }
            if encoding.writtenMetadata(image, notes.metadata, size: image.size)
                != encoding.writtenMetadata(image, metadata, size: image.size)
            {
                // The file has metadata after its pixels, but the result begins with it.
                (metadata, encoder) = (notes.metadata, nil)
                continue
            }
            if let content = try current.finish(parallelism: context.parallelism()) { return (content, notes) }
        }
    }

    /// The result, or the input's own pixel data if these are better.
    private func file(
        _ content: EncodedBytes, size: PixelSize, _ encoding: PlannedEncoding, _ decoderNotes: DecoderResult,
        notes: [String]
    ) throws(TexelError) -> EncodedImage {
        let warnings = decoderNotes.warnings
        let losses = (keepsAllBits ? [] : losses.bits) + losses.inks + losses.range + losses.gamut + losses.pages
        let result = encoding.file(
            content, size: size, route: type(of: route).route,
            warnings: warnings + notes + losses + encoding.qualityNotes + encoding.effortNotes(image))
        guard original.isKeepable(decoderNotes) else {
            return try original.fileKeepingProfile(unlessSmaller: result, decoderNotes)
        }
        // A plan for recompression has tried to code the input's own data again.
        return try original.file(
            unlessSmaller: result, by: encoding.minimumGain, warnings: warnings,
            recompressing: image.route == .recompress ? nil : encoding)
    }

    private func encoded(
        _ decoded: consuming DecodedImage, _ encoding: PlannedEncoding
    ) throws(TexelError) -> [UInt8] {
        let options = try encoding.options()
        let encodingContext = encoding.context(image, decoded.metadata, size: decoded.image.size, context)
        return try options.encode(decoded.takePixels(), encodingContext)
    }

    // MARK: Targets

    /// The result of a search for the recipe's target.
    private func searched(
        _ decoded: DecodedImage, _ encoding: PlannedEncoding, notes: [String]
    ) throws(TexelError) -> EncodedImage {
        let target = encoding.output.target
        let height = decoded.image.height
        let threads = context.parallelism()
        let codec = encoding.format.codec as? any SearchableCodec
        let ladder =
            if let codec { codec.ladder(encoding.output.settings) } else {
                EncodingLadder(only: ImageEncoding(try encoding.options()))
            }
        let search = TargetSearch(
            target: target, ladder: ladder, threads: threads, stop: context.stop,
            makeEncoder: { pixels in
                var attempt = encoding.context(image, decoded.metadata, size: pixels.size, context)
                (attempt.parallelism, attempt.progress) = (threads, nil)
                return codec?.attempts(at: pixels, attempt) ?? IndependentAttempts(pixels, attempt)
            },
            onAttempt: { context.rowCounter?.advance(by: height) })
        let kept = original.isKeepable(decoded.notes) ? try original.fileWithinTarget(decoded.warnings) : nil
        // The original itself is within the limit, and no encoding is closer to it.
        let limitsColors = encoding.palette != nil
        if let kept, target.score == nil, !limitsColors { return kept }
        let found: TargetSearch.Found
        do { found = try search.run(decoded.image) } catch {
            guard error.isMissedTarget, let kept, !limitsColors else { throw error }
            return kept
        }
        if let kept, !OriginalFile.isGain(found.bytes.count, over: kept.byteCount, encoding.minimumGain) {
            return kept
        }
        let warnings =
            decoded.warnings + notes + losses.all + encoding.effortNotes(image)
        var result = encoding.file(found.bytes, size: found.size, route: type(of: route).route, warnings: warnings)
        (result.score, result.searchSummary) = (found.score, found.summary)
        return result
    }
}

extension PlannedEncoding {
    /// The metadata of a file of pixels, which has no attachments.
    fileprivate func writtenMetadata(
        _ image: PlannedImage, _ metadata: ImageMetadata, size: PixelSize
    ) -> WrittenMetadata {
        image.writtenMetadata(metadata, size: size, to: format, keepsAttachments: false)
    }

    /// Returns the encoder's context: everything it needs besides the pixels or planes.
    ///
    /// - Parameter metadata: the input's metadata, as the decoder has read them.
    func context(
        _ image: PlannedImage, _ metadata: ImageMetadata, size: PixelSize, _ context: RouteContext
    ) -> EncodingContext {
        var result = EncodingContext(
            metadata: writtenMetadata(image, metadata, size: size), background: output.background ?? .white,
            stop: context.stop, parallelism: context.parallelism())
        result.progress = context.encodingProgress(rows: rows(height: image.size.height))
        result.overflow = context.overflow
        return result
    }
}
