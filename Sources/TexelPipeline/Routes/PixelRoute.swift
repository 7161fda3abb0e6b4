import TexelCodecs
import TexelFormats
import TexelOperations
import TexelPixels

/// A route over pixels: decodes, applies steps, and encodes if the result is a file. Several of them can share one
/// decoder.
protocol PixelRoute: PlannedRoute {
    /// What is read, and the resize that is done while reading.
    var load: PixelLoad { get }
}

extension PixelRoute {
    var explanation: [String] { load.explanation(shrink: shrink) }

    /// The bytes of the pixels after the load.
    var loadedBytes: Int { (load.size.pixelCount ?? 0) * PixelBuffer.bytesPerPixel }

    /// The bytes in memory for the steps and the encoder, and for the decoder, which is freed before them.
    var resultBytes: Double {
        let pixels = image.pixelCount
        // An operation may make a larger image than the result; its input is in memory at the same time.
        let canvases = max(0, Double(image.largestSize.pixelCount ?? .max) - pixels) * 4 * 2
        let isSearched = image.recipe.output.target.isSet
        let encoding = encoding?.encoding?.options.workingBytes(pixels: pixels, isSearched: isSearched) ?? 0
        return pixels * 4 * Double(1 + steps.count { !$0.runsInPlace })
            + max(image.decodingBytes(shrink: shrink), encoding, canvases)
            // A search decodes its encodings.
            + (isSearched ? pixels * 6 : 0)
    }

    // MARK: Pixels

    /// Announces the rows of decoding and encoding.
    func announceRows(to rowCounter: RowCounter?) {
        guard let rowCounter else { return }
        var rows = (image.input.size.height + shrink - 1) / shrink
        if let encoding {
            // A search counts each of its encodings.
            rows +=
                encoding.output.target.isSet
                ? TargetSearch.attemptLimit * image.size.height : encoding.rows(height: image.size.height)
        }
        rowCounter.expect(rows)
    }

    /// Decodes the image and applies all steps, without encoding.
    func pixels(_ context: RouteContext) throws(PipelineError) -> PixelBuffer {
        try finished(try loaded(context), context).decoded.image
    }

    /// Decodes the image, including the crop and resize that are done while rows are read.
    func loaded(_ context: RouteContext) throws(PipelineError) -> DecodedImage {
        let options = context.decodeOptions(frame: image.frame, shrink: shrink)
        let source = context.source
        return try PipelineError.wrapping { () throws(CodecError) in
            let decoder = try context.decoder(options)
            if load == .decode(PixelRectangle(covering: source.info.size)) {
                let image = try decoder.readImage(options.rowCounter)
                return DecodedImage(image, try decoder.finish())
            }
            let receiver = try RowReceiver(load, shrink: shrink, of: decoder)
            let notes = try RowReceiver.read(decoder, isParallel: context.parallelism() > 1) { band in
                receiver.take(band)
                options.rowCounter?.advance(by: band.rows.count)
            }
            return DecodedImage(receiver.finish(), notes)
        }
    }

    /// Applies the steps that follow the load.
    ///
    /// - Returns: the image, and notes about transparent pixels.
    func finished(
        _ image: consuming DecodedImage, _ context: RouteContext
    ) throws(PipelineError) -> (decoded: DecodedImage, notes: [String]) {
        var result = (decoded: image, notes: [String]())
        for step in steps {
            try context.checkStop()
            if let note = step.note(about: result.decoded.image) { result.notes.append(note) }
            do throws(PixelBufferError) {
                try step.apply(to: &result.decoded.image)
            } catch {
                throw .pixels(error)
            }
        }
        try context.checkStop()
        return result
    }

    // MARK: A file

    /// Decodes the image, applies all steps, and encodes.
    ///
    /// - Parameter keepsAllBits: whether 8 bits hold the file's samples exactly.
    func file(_ context: RouteContext, keepsAllBits: Bool = false) throws(PipelineError) -> EncodedImage {
        try refuseLosses(context)
        announceRows(to: context.rowCounter)
        return try PixelFileWriter(self, context, keepsAllBits: keepsAllBits).file(try loaded(context))
    }

    /// Applies all steps to an image that was decoded elsewhere, and encodes. The rows must have been announced.
    func file(_ context: RouteContext, from image: consuming DecodedImage) throws(PipelineError) -> EncodedImage {
        try refuseLosses(context)
        return try PixelFileWriter(self, context, keepsAllBits: false).file(image)
    }

    private func refuseLosses(_ context: RouteContext) throws(PipelineError) {
        try context.refuseAnimation(image.recipe)
        try encoding?.refuseLoss()
    }
}
