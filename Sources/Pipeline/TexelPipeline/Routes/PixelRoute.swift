import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// A route over pixels: decodes, applies steps, and encodes if the result is a file. Several of them can share one
/// decoder.
protocol PixelRoute: PlannedRoute {
    /// The part of the image that is read, and the resize during reading.
    var load: PixelLoad { get }

    /// The first of the steps: those that are done while reading, after the load.
    var streamedSteps: [any RowStep] { get }

    /// Whether rows flow on to the encoder, so that there is no image of them.
    var encodesRows: Bool { get }
}

extension PixelRoute {
    var pixelRoute: (any PixelRoute)? { encodesRows || image.result.searchesFrames ? nil : self }

    var encodesRows: Bool { false }

    var explanation: [String] { load.explanation(shrink: shrink) }

    /// Says of each step which rows it needs at a time, and of the first that needs the whole image why.
    var stepExplanation: [String] {
        var shape = RasterShape(size: load.size, alphaMode: image.input.alphaMode)
        var isWhole = false
        return steps.enumerated().map { index, step in
            let use: String
            if step.changesNothing(shape.alphaMode) {
                use = "no pixel changes"
            } else if index < streamedSteps.count {
                use = step.rowUse(shape.size)
            } else {
                use = step.useInMemory(shape.size, isFirst: !isWhole)
                isWhole = true
            }
            shape = step.shape(of: shape)
            return "then: \(step.summary) (\(use))"
        }
    }

    /// The bytes of the pixels after the load and the streamed steps.
    var loadedBytes: Int {
        let size = streamedSteps.reduce(load.size) { $1.outputSize(of: $0) }
        return (size.pixelCount ?? 0) * PixelBuffer.bytesPerPixel
    }

    /// The steps after the streamed ones.
    private var laterSteps: ArraySlice<any RowStep> { steps.dropFirst(streamedSteps.count) }

    /// The alpha mode after the load and the streamed steps.
    func resultAlphaMode(of loaded: AlphaMode) -> AlphaMode {
        streamedSteps.reduce(loaded) { $1.alphaMode(of: $0) }
    }

    /// The colour space after the load and the streamed steps.
    func resultColorSpace(of loaded: ColorSpace) -> ColorSpace {
        streamedSteps.reduce(loaded) { $1.colorSpace(of: $0) }
    }

    /// The bytes in memory for the steps and the encoder, and for the decoder, which is freed before them.
    var resultBytes: Double {
        let pixels = image.pixelCount
        // An operation may make a larger image than the result; its input is in memory at the same time.
        let canvases = max(0, Double(image.largestSize.pixelCount ?? .max) - pixels) * 4 * 2
        let isSearched = image.recipe.output.target.isSet
        let encoding = encoding?.encoding?.options.workingBytes(pixels: pixels, isSearched: isSearched) ?? 0
        // Steps on an image in memory have a source and a result.
        let images = laterSteps.allSatisfy(\.runsInPlace) ? 1.0 : 2.0
        return pixels * 4 * images
            + max(image.decodingBytes(shrink: shrink), encoding, canvases)
            // A search decodes its encodings.
            + (isSearched ? pixels * 6 : 0)
            // The canvas, and what is under a frame that is removed again.
            + (image.result.searchesFrames ? Double(image.input.size.pixelCount ?? .max) * 4 * 2 : 0)
    }

    // MARK: Pixels

    /// Announces the rows of decoding and encoding.
    func announceRows(to rowCounter: RowCounter?) {
        guard let rowCounter else { return }
        var rows = image.input.size.reduced(by: shrink).height
        if let encoding {
            // A search counts each of its encodings.
            rows +=
                encoding.output.target.isSet
                ? TargetSearch.attemptLimit * image.size.height : encoding.rows(height: image.size.height)
        }
        rowCounter.expect(rows)
    }

    /// Decodes the image and applies all steps, without encoding.
    func pixels(_ context: RouteContext) throws(TexelError) -> PixelBuffer {
        try finished(try loaded(context), context).decoded.image
    }

    /// Decodes the image, including the crop, the resize and the steps that are done while rows are read.
    func loaded(_ context: RouteContext) throws(TexelError) -> DecodedImage {
        let options = context.decodeOptions(image, shrink: shrink)
        let source = context.source
        let decoder = try context.decoder(options)
        if load == .decode(PixelRectangle(covering: source.info.size)), streamedSteps.isEmpty {
            let image = try decoder.readImage(options.rowCounter)
            return DecodedImage(image, try decoder.finish())
        }
        let receiver = try RowReceiver(self, of: decoder)
        let notes = try RowReceiver.read(decoder, isParallel: context.parallelism() > 1) {
            band throws(TexelError) in
            try receiver.take(band)
            options.rowCounter?.advance(by: band.rows.count)
        }
        return DecodedImage(receiver.finish(), notes)
    }

    /// Applies the steps that follow the streamed ones.
    ///
    /// - Returns: the image, and notes about transparent pixels.
    func finished(
        _ image: consuming DecodedImage, _ context: RouteContext
    ) throws(TexelError) -> (decoded: DecodedImage, notes: [String]) {
        let notes = try context.apply(laterSteps, to: &image.image)
        return (image, notes)
    }

    // MARK: A file

    /// Decodes the image, applies all steps, and encodes.
    ///
    /// - Parameter keepsAllBits: whether 8 bits hold the file's samples exactly.
    func file(_ context: RouteContext, keepsAllBits: Bool = false) throws(TexelError) -> EncodedImage {
        try refuseLosses(context)
        announceRows(to: context.rowCounter)
        return try PixelFileWriter(self, context, keepsAllBits: keepsAllBits).file(try loaded(context))
    }

    /// Applies all steps to an image that was decoded elsewhere, and encodes. The rows must have been announced.
    func file(_ context: RouteContext, from image: consuming DecodedImage) throws(TexelError) -> EncodedImage {
        try refuseLosses(context)
        return try PixelFileWriter(self, context, keepsAllBits: false).file(image)
    }

    func refuseLosses(_ context: RouteContext) throws(TexelError) {
        try context.refuseSeveralImages(image.recipe)
        try encoding?.refuseLoss()
    }
}

extension RouteContext {
    /// Applies steps to an image in memory.
    ///
    /// - Returns: notes about transparent pixels.
    /// - Throws: errors of pixels; `stopped` if there is a reason to stop.
    func apply(
        _ steps: some Sequence<any RowStep>, to image: inout PixelBuffer
    ) throws(TexelError) -> [String] {
        let (threads, stop) = (parallelism(), stop)
        let notes = try image.apply(steps, threads: threads) { stop?.reason != nil }
        try checkStop()
        return notes
    }
}
