package import TexelCodecs
package import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// Makes a plan from a recipe and a file's header, without reading pixels.
package struct Planner {
    private let input: ImageInfo
    private let recipe: Recipe
    private let result: PlanResult
    /// The capabilities of the result's format.
    private let capabilities: CodecCapabilities
    /// The routes that the plan may choose; `buffered` is always possible.
    private let routes: Set<Route>
    private let largestShrink: Int
    private let largestBalancedPixels: Int
    private let leastPixelsForRows: Int?
    private let operations: JoinedOperations
    /// The colour space of the result.
    private let writtenColors: ColorSpace
    /// Whether the samples of the decoded pixels have another meaning in the colour space of the result.
    private let convertsColors: Bool
    /// All steps after the load, in their order.
    private let steps: [any RowStep]

    /// The number of pixels of a result that is encoded while it is made. Smaller results are in memory as a whole:
    /// they can share a decoder, and what the encoder must know of all pixels needs no second decode.
    package static let leastPixelsForRows = 8 << 20

    /// - Parameters:
    ///   - input: the header of the image.
    ///   - result: what to make.
    ///   - routes: the routes that the plan may choose. Their results differ by rounding only.
    ///   - largestShrink: the largest number by which the decoder may divide both sides.
    ///   - largestBalancedPixels: the largest number of pixels that is encoded with balanced effort, unless the format
    ///     can do so in little memory.
    ///   - leastPixelsForRows: the number of pixels of a result that may be encoded while it is made; `nil` if none is,
    ///     because several results share a decoder.
    package static func plan(
        _ recipe: Recipe, for input: ImageInfo, to result: PlanResult, routes: Set<Route> = Set(Route.allCases),
        largestShrink: Int = 8, largestBalancedPixels: Int = OutputOptions.largestBalancedPixels,
        leastPixelsForRows: Int? = Planner.leastPixelsForRows
    ) throws(TexelError) -> Plan {
        Plan(
            try Planner(recipe, input, result, routes, largestShrink, largestBalancedPixels, leastPixelsForRows).route()
        )
    }

    /// Makes a plan that observes limits.
    ///
    /// - Parameters:
    ///   - largestShrink: the largest number by which the decoder may divide both sides.
    ///   - sharesDecode: whether several results share decoded pixels. They cannot share decoded planes, or rows that
    ///     are encoded as they are made.
    /// - Throws: errors of pixels if an operation cannot be applied; `limitExceeded`.
    static func plan(
        _ recipe: Recipe, for input: ImageInfo, to result: PlanResult, limits: Limits, largestShrink: Int = 8,
        sharesDecode: Bool = false
    ) throws(TexelError) -> Plan {
        let plan = try self.plan(
            recipe, for: input, to: result,
            routes: sharesDecode ? Set(Route.allCases).subtracting([.planar]) : Set(Route.allCases),
            largestShrink: largestShrink, leastPixelsForRows: sharesDecode ? nil : leastPixelsForRows)
        try plan.check(limits)
        return plan
    }

    private init(
        _ recipe: Recipe, _ input: ImageInfo, _ result: PlanResult, _ routes: Set<Route>, _ largestShrink: Int,
        _ largestBalancedPixels: Int, _ leastPixelsForRows: Int?
    ) throws(TexelError) {
        self.leastPixelsForRows = leastPixelsForRows
        self.routes = routes
        self.largestShrink = largestShrink
        self.largestBalancedPixels = largestBalancedPixels
        self.input = input
        self.recipe = recipe
        self.result = result
        let capabilities = result.capabilities
        self.capabilities = capabilities
        if recipe.frame == nil { try recipe.playback.check(for: input) }
        operations = try JoinedOperations(
            recipe.operations, of: input.size, orientation: recipe.appliesOrientation ? input.orientation : .identity,
            background: recipe.output.background ?? (capabilities.hasAlpha ? .transparent : .white))
        let wanted = recipe.output.colorSpace ?? input.pixelColorSpace
        let storesColors =
            capabilities.storesCICP || wanted.hasProfile && capabilities.metadata.contains(.profile)
        let written = recipe.output.metadata == .none || !storesColors ? .sRGB : wanted
        writtenColors = written
        let colors = written == .sRGB && input.pixelColorSpace.isSRGB ? .sRGB : input.pixelColorSpace
        convertsColors = colors != written
        var steps: [any RowStep] = []
        // First, so that backgrounds are in this colour space too, but after a resize of the front part, when there are
        // fewer pixels.
        if written != input.pixelColorSpace { steps.append(ConvertColors(from: colors, to: written)) }
        steps += try operations.steps(in: written)
        if input.hasAlpha, !capabilities.hasAlpha { steps.append(FlattenStep(recipe.output.background ?? .white)) }
        self.steps = steps
    }

    // MARK: The route

    /// The first route that gives the result, from the one with the least work.
    private func route() -> any PlannedRoute {
        guard case .file(let format) = result else { return pixelRoute(nil) }
        let encoding = encoding(to: format)
        if !changesPixels, !asksForEncoding, !recipe.output.compresses || hasOtherPages, routes.contains(.passthrough) {
            let image = image(on: .passthrough)
            return PassthroughRoute(
                image: image, fallback: buffered(image, encoding), animatedFallback: animated(encoding))
        }
        if !changesPixels, encoding.palette == nil, !recipe.output.target.isSet, prefersRecompression,
            routes.contains(.recompress)
        {
            let image = image(on: .recompress)
            return RecompressRoute(
                image: image, planned: encoding, fallback: buffered(image, encoding),
                animatedFallback: animated(encoding))
        }
        if transcodes(to: format), routes.contains(.transcode) {
            let image = image(on: .transcode)
            return TranscodeRoute(
                image: image.stored(as: input), planned: encoding, isRestored: input.storedFormat == format,
                fallback: buffered(image, encoding))
        }
        if let animated = animated(encoding) { return animated }
        if case .possible(let move) = encoding.losslessTransform, routes.contains(.losslessTransform) {
            let image = image(on: .losslessTransform)
            // Trimming of partial blocks makes the result smaller.
            return LosslessTransformRoute(
                image: image.resized(to: move.size), planned: encoding, move: move, fallback: buffered(image, encoding))
        }
        if routes.contains(.planar), canStayPlanar(encoding.encoding) {
            return PlanarRoute(
                image: image(on: .planar), planned: encoding, load: operations.load, shrink: shrink,
                moves: operations.moves, encodesRows: isLargeEnoughForRows && operations.moves == .identity)
        }
        return pixelRoute(encoding)
    }

    /// The steps of an animation's frames. A profile of greys fits only files whose pixels are all grey, which is not
    /// known before the last frame.
    private var stepsForFrames: [any RowStep] {
        let isGray = if case .iccProfile(let profile) = input.colorSpace { profile.colorModel == .gray } else { false }
        return isGray && writtenColors == input.colorSpace
            ? [ConvertColors(from: input.colorSpace, to: .sRGB)] + steps : steps
    }

    /// The route of an animation with all frames; `nil` for other images and formats.
    private func animated(_ encoding: PlannedEncoding) -> AnimatedRoute? {
        guard input.isAnimation, recipe.frame == nil, let options = encoding.encoding?.options as? any AnimatedOptions,
            routes.contains(.animated)
        else { return nil }
        return AnimatedRoute(
            image: image(on: .animated), planned: encoding, options: options,
            steps: operations.load.steps(for: input.size) + stepsForFrames)
    }

    private func pixelRoute(_ encoding: PlannedEncoding?) -> any PlannedRoute {
        let streamedSteps = streamedSteps
        let encodesRows = encodesRows(encoding, after: streamedSteps)
        let changesRows = !StepSegment.segments(of: streamedSteps, for: loaded).isEmpty
        if operations.load.isResampling || changesRows || encodesRows, routes.contains(.streaming) {
            return StreamingRoute(
                image: image(on: .streaming), encoding: encoding, load: operations.load, shrink: shrink,
                streamedSteps: streamedSteps, steps: steps, encodesRows: encodesRows)
        }
        return buffered(image(on: .buffered), encoding)
    }

    private var isLargeEnoughForRows: Bool {
        leastPixelsForRows.map { (operations.size.pixelCount ?? .max) >= $0 } ?? false
    }

    /// Whether the rows of the result flow from the last step to the encoder.
    private func encodesRows(_ encoding: PlannedEncoding?, after streamedSteps: [any RowStep]) -> Bool {
        guard isLargeEnoughForRows, streamedSteps.count == steps.count, !recipe.output.target.isSet, let encoding,
            encoding.palette == nil, let options = encoding.encoding?.options as? any RowOptions
        else { return false }
        let alphaMode = streamedSteps.reduce(input.alphaMode) { $1.alphaMode(of: $0) }
        return options.acceptsRows(RasterShape(size: operations.size, alphaMode: alphaMode), writtenColors)
    }

    /// The image after the load.
    private var loaded: RasterShape { RasterShape(size: operations.load.size, alphaMode: input.alphaMode) }

    /// The first steps, as many as can be carried out while rows are read.
    private var streamedSteps: [any RowStep] {
        var (streamed, alphaMode) = ([any RowStep](), loaded.alphaMode)
        for step in steps {
            guard !step.inspectsImage || step.changesNothing(alphaMode) else { break }
            let segments = StepSegment.segments(of: streamed + [step], for: loaded)
            guard segments.count <= 1, segments.allSatisfy(SegmentStream.savesMemory(with:)) else { break }
            streamed.append(step)
            alphaMode = step.alphaMode(of: alphaMode)
        }
        return streamed
    }

    private func buffered(_ image: PlannedImage, _ encoding: PlannedEncoding?) -> BufferedRoute {
        switch operations.load {
        case .decode(let rectangle):
            BufferedRoute(image: image, encoding: encoding, rectangle: rectangle, steps: steps)
        case .resample(let resampling):
            BufferedRoute(
                image: image, encoding: encoding, rectangle: resampling.bounds, steps: [ResizeStep(resampling)] + steps)
        }
    }

    /// The factor by which the decoder divides both sides.
    private var shrink: Int {
        operations.load.shrink(of: input.size, among: input.decodeScales.filter { $0 <= largestShrink })
    }

    private func image(on route: Route) -> PlannedImage {
        PlannedImage(
            input: input, recipe: recipe, result: result, route: route, size: operations.size,
            largestSize: operations.largestSize,
            writtenOrientation: recipe.appliesOrientation ? .identity : input.orientation,
            turnsSides: operations.turnsSides, changesPixels: changesPixels, convertsColors: convertsColors,
            changesOnlyColors: convertsColors && changes.count == 1 && !changesImage && recipe.output.colorSpace == nil)
    }

    // MARK: What changes

    /// The steps that change pixels.
    private var changes: [any RowStep] { steps.filter { !$0.changesNothing(input.alphaMode) } }

    /// Whether the geometry or the format changes, or frames are chosen. A page that is chosen is the whole input.
    private var changesImage: Bool {
        operations.load != .decode(PixelRectangle(covering: input.size)) || result.format != input.format
            || (input.isAnimation && (recipe.frame != nil || recipe.playback != Playback()))
    }

    private var changesPixels: Bool { changesImage || !changes.isEmpty || convertsInks }

    /// Whether inks become RGB because the recipe names the colours of the result. Decoders convert them to sRGB, so
    /// that it takes no step.
    private var convertsInks: Bool { input.isCMYK && recipe.output.namesColors }

    /// Whether encoding would lose images of the file.
    private var hasOtherPages: Bool { input.pageCount > 1 && recipe.frame == nil }

    /// Whether the recipe says how the pixels are encoded.
    private var asksForEncoding: Bool {
        let output = recipe.output
        return palette != nil || output.isProgressive != nil || output.target.isSet || asksForLoss
            || output.parameters.contains(anyOf: result.format?.codec?.parameters ?? [])
    }

    /// Whether the recipe says how pixels are encoded with loss, so that the file's coefficients are not the result.
    private var asksForLoss: Bool {
        recipe.output.quality != nil || capabilities.subsamplesChroma && recipe.output.subsampling != .automatic
    }

    private var palette: PaletteOptions? { capabilities.hasPalettes ? recipe.output.palette : nil }

    /// Whether compressing the file's own samples or coefficients again is better than encoding pixels.
    private var prefersRecompression: Bool {
        guard let codec = input.format.codec as? any RecompressingCodec else { return false }
        let output = recipe.output
        return codec.prefersRecompression(
            of: input, compresses: output.compresses, isLossless: output.isLossless, asksForLoss: asksForLoss)
    }

    /// Whether the result holds exactly the file's image, without an encoding of pixels. It is displayed as the file
    /// is, so that the orientation need not be applied.
    private func transcodes(to format: ImageFormat) -> Bool {
        let output = recipe.output
        guard format != input.format, recipe.operations.isEmpty, recipe.frame == nil, !input.isAnimation,
            output.isLossless || !output.compresses, !asksForEncoding, output.subsampling == .automatic, !convertsInks,
            changes.allSatisfy({ $0 is MoveStep })
        else { return false }
        if input.storedFormat == format { return true }
        return (format.codec as? any StoringCodec)?.stores(input) ?? false
    }

    /// Whether the file's planes can be filtered and encoded again without becoming pixels.
    private func canStayPlanar(_ encoding: ImageEncoding?) -> Bool {
        // A search compares pixels.
        guard operations.laterSteps.isEmpty, writtenColors == input.pixelColorSpace, !recipe.output.target.isSet,
            let options = encoding?.options as? any PlanarOptions, options.acceptsPlanes(of: input)
        else { return false }
        let bounds: PixelRectangle
        switch operations.load {
        case .decode(let rectangle):
            bounds = rectangle
        case .resample(let resampling):
            guard !resampling.usesLinearLight, resampling.filter != .nearest else { return false }
            bounds = resampling.bounds
        }
        if bounds == PixelRectangle(covering: input.size) { return true }
        // A chroma sample covers at most four pixels; a crop must not cut through one.
        guard input.chromaSubsampling != "other" else { return false }
        return bounds.x % 4 == 0 && bounds.y % 4 == 0
            && ((bounds.x + bounds.width) % 4 == 0 || bounds.x + bounds.width == input.size.width)
            && ((bounds.y + bounds.height) % 4 == 0 || bounds.y + bounds.height == input.size.height)
    }

    // MARK: The encoding

    private func encoding(to format: ImageFormat) -> PlannedEncoding {
        var output = output
        var options = format.encoding(settings(output))
        // A search keeps the image in memory.
        if isLarge, output.effort == .balanced, output.target.isSet || options?.options.boundsMemory != true {
            output.effort = .fast
            options = format.encoding(settings(output))
        }
        return PlannedEncoding(
            format: format, output: output, encoding: options, palette: palette, quantization: movedQuantization,
            savesMemory: isLarge && output.effort == .balanced,
            losslessTransform: LosslessTransform(
                operations.load, steps, convertsColors: convertsColors, of: input, to: format, recipe.output))
    }

    /// Whether the result is so large that encoders must not take much memory or time for a pixel.
    private var isLarge: Bool { operations.size.pixelCount ?? .max > largestBalancedPixels }

    private func settings(_ output: OutputOptions) -> EncodingSettings {
        var settings = output.settings
        settings.quantization = movedQuantization
        settings.isEffortLowered = output.effort != recipe.output.effort
        settings.largestWholeImage = min(settings.largestWholeImage, largestBalancedPixels)
        // With operations the recipe makes a new image, which someone may be waiting for.
        settings.compresses = settings.compresses && recipe.operations.isEmpty
        return settings
    }

    /// How the result is written.
    private var output: OutputOptions {
        var output = recipe.output
        if let own = ownQuantization {
            output.quality = own.nearestQuality
            if output.subsampling == .automatic { output.subsampling = own.subsampling ?? .automatic }
        }
        return output
    }

    /// The input's quantisation, if the result keeps its quality: the recipe does not compress, and gives no quality
    /// and no target.
    private var ownQuantization: DCTQuantization? {
        let output = recipe.output
        guard capabilities.reusesQuantization, result.format == input.format, !output.compresses,
            output.quality == nil, !output.target.isSet
        else { return nil }
        return input.quantization
    }

    /// The input's quantisation for an image whose pixels are only moved, which loses the least; `nil` if pixels are
    /// mixed, because its tables then fit no better than others.
    private var movedQuantization: DCTQuantization? {
        guard case .decode = operations.load, !operations.laterSteps.contains(where: \.mixesPixels),
            let own = ownQuantization
        else { return nil }
        var result = operations.turnsSides ? own.transposed : own
        if let factors = recipe.output.subsampling.factors {
            (result.horizontalFactor, result.verticalFactor) = factors
        }
        return result
    }
}
