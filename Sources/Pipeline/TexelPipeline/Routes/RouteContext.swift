package import TexelCodecs
package import TexelCore
import TexelFormats
import TexelPixels

/// The file that a route works on, and the resources that it may use.
///
/// A route uses the calling thread and as many others as `parallelism` allows, and checks between bands of rows whether
/// to stop.
package struct RouteContext: Sendable {
    var source: any ImageFile
    let policy: DecodePolicy
    var stop: StopToken?
    let parallelism: @Sendable () -> Int
    var rowCounter: RowCounter?
    /// Where the result will be written; `nil` if that is not known.
    var output: ResultOutput?

    /// - Parameters:
    ///   - parallelism: returns the number of threads that may share the work; called when a step begins.
    ///   - rowCounter: counts the finished rows.
    ///   - output: where the result will be written.
    package init(
        _ source: any ImageFile, policy: DecodePolicy = DecodePolicy(), stop: StopToken? = nil,
        parallelism: @escaping @Sendable () -> Int = { 1 }, rowCounter: RowCounter? = nil,
        output: ResultOutput? = nil
    ) {
        self.source = source
        self.policy = policy
        self.stop = stop
        self.parallelism = parallelism
        self.rowCounter = rowCounter
        self.output = output
    }

    /// Where an encoder puts many bytes.
    var overflow: OutputOverflow? { output?.overflow }

    /// The options for decoding the image of a plan to pixels.
    func decodeOptions(_ image: PlannedImage, shrink: Int) -> DecodeOptions {
        var options = decodeOptions(frame: image.frame, shrink: shrink)
        options.dithers = image.recipe.dithers
        return options
    }

    /// The options for decoding a frame at a scale.
    func decodeOptions(frame: Int?, shrink: Int = 1) -> DecodeOptions {
        var options = DecodeOptions()
        options.policy = policy
        options.parallelism = parallelism()
        options.stop = stop
        options.rowCounter = rowCounter
        options.frame = frame
        options.shrink = shrink
        return options
    }

    /// Creates a decoder of the source.
    ///
    /// - Throws: any error of opening the file.
    func decoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder { try source.decoder(options) }

    /// The number of rows that a decoder returns.
    func decodedHeight(shrink: Int) -> Int { source.info.size.reduced(by: shrink).height }

    /// Counts encoding as so many rows.
    func encodingProgress(rows: Int) -> EncodingProgress? {
        rowCounter.map { EncodingProgress($0, rowCount: rows) }
    }

    /// - Throws: `stopped` if there is a reason to stop.
    func checkStop() throws(TexelError) {
        if let reason = stop?.reason { throw .stopped(reason) }
    }

    /// - Throws: `animated` if the result would lose frames, `severalPages` if it would lose pages and the recipe does
    ///   not give them up.
    func refuseSeveralImages(_ recipe: Recipe) throws(TexelError) {
        if let refusal = recipe.refusalOfOneImage(of: source.info) { throw refusal }
    }

    /// Whether rows may be missing, so that the input's own bytes must not be copied.
    func isDamaged(_ notes: DecoderResult) -> Bool { notes.hasDamagedPixels || isDamaged(notes.warnings) }

    /// Whether rows may be missing, as far as warnings tell: only the strictness `none` accepts such images.
    func isDamaged(_ warnings: [String]) -> Bool { policy.strictness == .none && !warnings.isEmpty }

    /// Decodes a file whose pixels are going to be copied, with all frames: a damaged input must not become a damaged
    /// output. The image is decoded at the smallest scale, which still reads everything.
    ///
    /// - Returns: the accepted warnings; `nil` if rows may be missing, so that the pixels must be encoded again.
    /// - Throws: any error of the decoder; the fault of an animation unless the strictness accepts all faults.
    func warnings(beforeCopying frame: Int?) throws(TexelError) -> [String]? {
        var options = decodeOptions(frame: frame, shrink: source.info.decodeScales.max() ?? 1)
        options.readsUnneededScans = true
        let results = try readAll(isAnimation: source.info.isAnimation && frame == nil, options)
        return results.contains(where: isDamaged) ? nil : results.flatMap(\.warnings)
    }

    /// Reads the image, or all frames of an animation.
    private func readAll(isAnimation: Bool, _ options: DecodeOptions) throws(TexelError) -> [DecoderResult] {
        guard isAnimation, let animation = try source.animation(limits: policy.limits) else {
            rowCounter?.expect(decodedHeight(shrink: options.shrink))
            return [try read(try decoder(options))]
        }
        if let fault = animation.fault {
            if policy.strictness != .none { throw fault }
            return [DecoderResult(warnings: [Self.missingFrames], hasDamagedPixels: true)]
        }
        var frames = try animation.hasSeparateDefaultImage ? [read(try decoder(options))] : []
        rowCounter?.expect(animation.frames.reduce(0) { $0 + $1.area.height })
        for index in animation.frames.indices { frames.append(try read(try animation.decoder(of: index, options))) }
        return frames
    }

    /// A warning about an animation with a fault.
    static let missingFrames = "frames that are damaged or missing were dropped"

    /// Reads all rows.
    private func read(_ decoder: any RowDecoder) throws(TexelError) -> DecoderResult {
        let reader = RowReader(decoder, rowCounter)
        let band = try reader.makeBand()
        while try reader.read(into: band) {}
        return try decoder.finish()
    }
}

extension ImageFile {
    /// Returns a page of a file with pages; other files are returned as they are.
    ///
    /// - Parameter index: from 0; `nil` for the whole file.
    /// - Throws: `missingPage`, any error of the page's header.
    func page(of index: Int?, limits: Limits, _ stop: StopToken? = nil) throws(TexelError) -> any ImageFile {
        guard let index else { return self }
        return try page(index, limits: limits, stop)
    }

    /// Returns the file with a header that was read from all its bytes; waits for them.
    ///
    /// - Throws: errors of the codec: any error of the header, `stopped`.
    func withWholeHeader(limits: Limits, _ stop: StopToken?) throws(TexelError) -> any ImageFile {
        if holdsWholeHeader { return self }
        return try CodecRegistry.shared.open(try wholeFile(stop), limits: limits)
    }
}

/// Where a route's result is written. Its file is begun as soon as the result becomes large.
package struct ResultOutput: Sendable {
    private let failure: OutputFailure
    /// `nil` if the bytes must stay in memory until the result is complete.
    let overflow: OutputOverflow?

    /// The number of bytes of a result that stay in memory.
    package static let byteLimitInMemory = 16 << 20

    /// - Parameter byteLimit: the number of bytes that stay in memory.
    package init(_ place: OutputPlace, byteLimit: Int = byteLimitInMemory) {
        let failure = OutputFailure(place.path)
        self.failure = failure
        guard !place.isDirect else {
            overflow = nil
            return
        }
        overflow = OutputOverflow(byteLimit: byteLimit) { () throws(TexelError) in
            do throws(TexelError) {
                return EncodedFile(try place.begun(), failure)
            } catch {
                throw failure.record(error)
            }
        }
    }

    /// Returns why the file could not be written instead of an encoder's error.
    func cause(of error: TexelError) -> TexelError {
        error.kind == .outputFailed ? failure.error ?? error : error
    }
}
