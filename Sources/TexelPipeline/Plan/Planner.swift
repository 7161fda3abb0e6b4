import TexelCodecs
import TexelFormats
package import TexelPixels

/// Makes a plan from a recipe and a file's header, without reading pixels.
///
/// Crop and resize, which can run while rows are decoded, are moved before orientation, flips and quarter turns, in the
/// stored image's coordinates, so that fewer pixels are moved afterwards. All other operations follow in their order.
package struct Planner {
    private let input: PlanInput
    private let recipe: Recipe
    private let result: PlanResult
    /// What the result can hold.
    private let capabilities: CodecCapabilities
    /// The routes that the plan may choose; `buffered` is always possible.
    private let routes: Set<Route>
    private let largestShrink: Int
    private let largestBalancedPixels: Int

    // The front part runs while rows are decoded.
    private let storedOrientation: Orientation
    /// The displayed size after the operations added so far.
    private var size: PixelSize {
        didSet { if size.pixelCount ?? .max > largestSize.pixelCount ?? .max { largestSize = size } }
    }
    /// The largest value of `size` so far.
    private var largestSize = PixelSize(width: 1, height: 1)
    /// The displayed rectangle that is left after the crops.
    private var bounds: PixelRectangle
    private var resize: (options: ResizeOptions, plan: ResizePlan)?
    /// The moves that follow the front part, the orientation first.
    private var moves: Orientation
    /// Whether operations may still join the front part.
    private var isFrontOpen = true
    private var steps: [Plan.Step] = []

    /// - Parameters:
    ///   - input: the image.
    ///   - result: what to make.
    ///   - routes: the routes that the plan may choose. Their results differ by rounding only.
    ///   - largestShrink: the largest number by which the decoder may divide both sides.
    ///   - largestBalancedPixels: the largest number of pixels that is encoded with balanced effort.
    package static func plan(
        _ recipe: Recipe, for input: PlanInput, to result: PlanResult, routes: Set<Route> = Set(Route.allCases),
        largestShrink: Int = 8, largestBalancedPixels: Int = OutputOptions.largestBalancedPixels
    ) throws(PixelBufferError) -> Plan {
        var planner = Planner(recipe, input, result, routes, largestShrink, largestBalancedPixels)
        for operation in recipe.operations { try planner.add(operation) }
        return planner.finished()
    }

    private init(
        _ recipe: Recipe, _ input: PlanInput, _ result: PlanResult, _ routes: Set<Route>, _ largestShrink: Int,
        _ largestBalancedPixels: Int
    ) {
        self.routes = routes
        self.largestShrink = largestShrink
        self.largestBalancedPixels = largestBalancedPixels
        self.input = input
        self.recipe = recipe
        self.result = result
        capabilities = result.capabilities
        storedOrientation = recipe.appliesOrientation ? input.orientation : .identity
        size = storedOrientation.applied(to: input.size)
        bounds = PixelRectangle(covering: size)
        moves = storedOrientation
    }

    private var background: PixelColor { recipe.output.background ?? (capabilities.hasAlpha ? .transparent : .white) }

    /// How the result is written, once its size is known.
    private var output: OutputOptions {
        var output = recipe.output.fitted(to: size, largestBalancedPixels: largestBalancedPixels)
        if let own = ownQuantization {
            output.quality = own.nearestQuality
            if output.subsampling == .automatic { output.subsampling = own.subsampling ?? .automatic }
        }
        return output
    }

    /// The input's quantisation, if the result keeps its quality: the recipe does not compress, and gives no quality and
    /// no target.
    private var ownQuantization: DCTQuantization? {
        let output = recipe.output
        guard capabilities.reusesQuantization, result.format == input.info?.format, !output.compresses,
            output.quality == nil, !output.target.isSet
        else { return nil }
        return input.info?.quantization
    }

    /// The input's quantisation for an image whose pixels are only moved, which loses the least; `nil` if pixels are
    /// mixed, because its tables then fit no better than others.
    private func movedQuantization(_ load: Plan.Load, _ steps: [Plan.Step], turnsSides: Bool) -> DCTQuantization? {
        guard case .decode = load, !steps.contains(where: \.mixesPixels), let own = ownQuantization else { return nil }
        var result = turnsSides ? own.transposed : own
        if let factors = recipe.output.subsampling.factors {
            (result.horizontalFactor, result.verticalFactor) = factors
        }
        return result
    }

    // MARK: Adding operations

    private mutating func add(_ operation: PixelOperation) throws(PixelBufferError) {
        switch operation {
        case .crop(let rectangle): try addCrop(rectangle)
        case .resize(let options): try addResize(options)
        case .flip(let axis): addMove(axis.orientation)
        case .rotate(let degrees, let filter): try addRotation(degrees, filter)
        case .turn(let attitude, let filter):
            if attitude.staysInPlane { return try addRotation(attitude.roll, filter) }
            append(
                .turn(attitude, filter: filter, background: background), size: try size.inPerspective(attitude))
        case .flatten(let color): append(.flatten(color), size: size)
        }
    }

    private mutating func addCrop(_ rectangle: PixelRectangle) throws(PixelBufferError) {
        guard rectangle.isInside(size) else { throw .rectangleOutOfBounds(rectangle, size) }
        if rectangle == PixelRectangle(covering: size) { return }
        if isFrontOpen, resize == nil, moves == storedOrientation {
            bounds = PixelRectangle(
                x: bounds.x + rectangle.x, y: bounds.y + rectangle.y, width: rectangle.width, height: rectangle.height)
            size = rectangle.size
        } else {
            append(.crop(rectangle), size: rectangle.size)
        }
    }

    private mutating func addResize(_ options: ResizeOptions) throws(PixelBufferError) {
        let plan = try options.rule.plan(for: size)
        if plan.isIdentity { return }
        // A filter that rounds ties to one side must get the pixels as displayed.
        let isMirrored = storedOrientation.mirrorsX || storedOrientation.mirrorsY
        let breaksTies = options.filter == .nearest || options.filter == .box
        guard isFrontOpen, resize == nil, moves == storedOrientation,
            plan.keepsScale || !(isMirrored && breaksTies)
        else {
            return appendResize(options, plan)
        }
        if plan.keepsScale, !plan.isPadded {
            // The resize is only a crop.
            let sampled = plan.sampledRectangle
            return try addCrop(
                PixelRectangle(
                    x: Int(sampled.x), y: Int(sampled.y), width: Int(sampled.width), height: Int(sampled.height)))
        }
        if !plan.keepsScale { resize = (options, plan) }
        size = plan.imageSize
        appendPadding(plan)
    }

    /// Adds a resize of an image that is in memory already.
    private mutating func appendResize(_ options: ResizeOptions, _ plan: ResizePlan) {
        if !plan.keepsScale || plan.isCropped {
            let resampling = Plan.Resampling(
                bounds: PixelRectangle(covering: size), sampled: plan.sampledRectangle, target: plan.imageSize,
                filter: options.filter, usesLinearLight: options.usesLinearLight,
                order: PassOrder(source: size, target: plan.imageSize))
            append(.resize(resampling), size: plan.imageSize)
        }
        appendPadding(plan)
    }

    private mutating func appendPadding(_ plan: ResizePlan) {
        guard plan.isPadded else { return }
        append(.pad(plan.canvasSize, plan.imageRectangle, background), size: plan.canvasSize)
    }

    private mutating func addRotation(_ degrees: Double, _ filter: ResamplingFilter) throws(PixelBufferError) {
        let rotated = try size.rotated(by: degrees)
        if let turns = try quarterTurns(in: degrees) {
            addMove(Orientation(quarterTurns: turns))
        } else {
            append(.rotate(degrees: degrees, filter: filter, background: background), size: rotated)
        }
    }

    private mutating func addMove(_ move: Orientation) {
        guard move != .identity else { return }
        if isFrontOpen {
            moves = moves.followed(by: move)
            size = move.applied(to: size)
        } else {
            append(.orient(move), size: move.applied(to: size))
        }
    }

    private mutating func append(_ step: Plan.Step, size: PixelSize) {
        isFrontOpen = false
        steps.append(step)
        self.size = size
    }

    // MARK: The result

    private mutating func finished() -> Plan {
        var load = load
        var steps = steps
        let losesProfile =
            input.colorSpace != .sRGB
            && (recipe.output.metadata == .none || !input.colorSpace.hasProfile && !capabilities.storesCodePoints)
        let isWhole = load == .decode(PixelRectangle(covering: input.size))
        let turnsSides = steps.reduce(moves.swapsSides) { turned, step in
            if case .orient(let orientation) = step { turned != orientation.swapsSides } else { turned }
        }
        let quantization = movedQuantization(load, steps, turnsSides: turnsSides)
        var settings = output.settings
        settings.quantization = quantization
        let encoding = result.format?.encoding(settings)
        let isPlanar = steps.isEmpty && !losesProfile && canStayPlanar(load, encoding)
        // On the planar route the moves come last, on the others first.
        if moves != .identity { steps.insert(.orient(moves), at: 0) }
        // First, so that backgrounds are in sRGB too, but after a resize of the front part, when there are fewer pixels.
        if losesProfile { steps.insert(input.colorSpace.isSRGB ? .labelAsSRGB : .convertToSRGB, at: 0) }
        if input.hasAlpha, !capabilities.hasAlpha { steps.append(.flatten(recipe.output.background ?? .white)) }

        let changes = steps.filter { $0 != .labelAsSRGB }
        let changesImage = !isWhole || result.format != input.info?.format || choosesFrame
        let changesPixels = changesImage || !changes.isEmpty
        let palette = capabilities.hasPalettes ? recipe.output.palette : nil
        let asksForEncoding =
            palette != nil || recipe.output.quality != nil || recipe.output.isProgressive != nil
            || recipe.output.target.isSet
        let losslessTransform = LosslessTransform(load, steps, of: input.info, to: result.format, recipe.output)
        var route = Route.buffered
        var shrink = 1
        if !changesPixels, !asksForEncoding, !recipe.output.compresses, routes.contains(.passthrough) {
            route = .passthrough
        } else if !changesPixels, palette == nil, !recipe.output.target.isSet, prefersRecompression,
            routes.contains(.recompress)
        {
            route = .recompress
        } else if case .possible = losslessTransform, routes.contains(.losslessTransform) {
            route = .losslessTransform
        } else if isPlanar, routes.contains(.planar) {
            route = .planar
            steps = []
        } else if case .resample(let resampling) = load {
            if routes.contains(.streaming) {
                route = .streaming
            } else {
                load = .decode(resampling.bounds)
                steps.insert(.resize(resampling), at: 0)
            }
        }
        if case .resample(let resampling) = load, let info = input.info {
            shrink = ShrinkOnLoad.divisor(
                for: resampling, of: info.size, among: info.decodeScales.filter { $0 <= largestShrink })
        }
        // Trimming of partial blocks makes the result smaller.
        let untrimmedSize = size
        if route == .losslessTransform, case .possible(let move) = losslessTransform { size = move.size }
        return Plan(
            route: route, result: result, outputSize: size, untrimmedSize: untrimmedSize, largestSize: largestSize,
            shrink: shrink,
            frame: recipe.frame,
            estimatedBytes: estimatedBytes(
                route, load, copyCount: steps.count(where: \.copiesPixels), shrink: shrink, encoding),
            writtenOrientation: recipe.appliesOrientation ? .identity : input.orientation,
            changesPixels: changesPixels, changesOnlyColors: !changesImage && changes == [.convertToSRGB],
            moves: moves, load: load, steps: steps, output: output, quantization: quantization, encoding: encoding,
            palette: palette,
            losslessTransform: losslessTransform,
            turnsSides: turnsSides)
    }

    /// Whether the result is one of several frames.
    private var choosesFrame: Bool { recipe.frame != nil && input.isAnimation }

    /// Whether compressing the file's own samples or coefficients again is better than encoding pixels.
    private var prefersRecompression: Bool {
        guard let info = input.info, let codec = info.format.codec as? any RecompressingCodec else { return false }
        let output = recipe.output
        return codec.prefersRecompression(
            of: info, compresses: output.compresses, isLossless: output.isLossless, hasQuality: output.quality != nil)
    }

    /// Whether the file's planes can be filtered and encoded again without becoming pixels.
    private func canStayPlanar(_ load: Plan.Load, _ encoding: ImageEncoding?) -> Bool {
        // A search compares pixels.
        guard !recipe.output.target.isSet, let info = input.info, let options = encoding?.options as? any PlanarOptions,
            options.acceptsPlanes(of: info)
        else { return false }
        let bounds: PixelRectangle
        switch load {
        case .decode(let rectangle):
            bounds = rectangle
        case .resample(let resampling):
            guard !resampling.usesLinearLight, resampling.filter != .nearest else { return false }
            bounds = resampling.bounds
        }
        if bounds == PixelRectangle(covering: info.size) { return true }
        // A chroma sample covers at most four pixels; a crop must not cut through one.
        guard info.chromaSubsampling != "other" else { return false }
        return bounds.x % 4 == 0 && bounds.y % 4 == 0
            && ((bounds.x + bounds.width) % 4 == 0 || bounds.x + bounds.width == info.size.width)
            && ((bounds.y + bounds.height) % 4 == 0 || bounds.y + bounds.height == info.size.height)
    }

    /// The front part in the stored image's coordinates.
    private var load: Plan.Load {
        let storedBounds = FractionalRectangle(bounds).undoing(
            storedOrientation, displayed: storedOrientation.applied(to: input.size))
        let whole = PixelRectangle(
            x: Int(storedBounds.x), y: Int(storedBounds.y), width: Int(storedBounds.width),
            height: Int(storedBounds.height))
        guard let resize else { return .decode(whole) }
        let order = PassOrder(source: bounds.size, target: resize.plan.imageSize)
        return .resample(
            Plan.Resampling(
                bounds: whole,
                sampled: resize.plan.sampledRectangle.undoing(storedOrientation, displayed: bounds.size),
                target: storedOrientation.applied(to: resize.plan.imageSize),
                filter: resize.options.filter, usesLinearLight: resize.options.usesLinearLight,
                order: storedOrientation.transposes ? order.transposed : order))
    }

    private func estimatedBytes(
        _ route: Route, _ load: Plan.Load, copyCount: Int, shrink: Int, _ encoding: ImageEncoding?
    ) -> Int {
        let stored = Double(input.size.pixelCount ?? .max)
        let written = Double(size.pixelCount ?? .max)
        let decoded = stored / Double(shrink * shrink) * 4
        // An operation may make a larger image than the result; its input is in memory at the same time.
        let canvases = max(0, Double(largestSize.pixelCount ?? .max) - written) * 4 * 2
        let codec = input.info?.format.codec
        let decoding = input.info.flatMap { codec?.workingBytes(decoding: $0, shrink: shrink) } ?? 0
        // Moved coefficients are computed while they are written.
        let movedCoefficients = Double(input.info?.coefficientLayout?.byteCount ?? 0)
        let encoding = encoding?.options.workingBytes(pixels: written, isSearched: output.target.isSet) ?? 0
        let isResampled = load != .decode(PixelRectangle(covering: input.size))
        let bytes =
            switch route {
            case .passthrough: 0.0
            case .recompress:
                input.info.flatMap { (codec as? any RecompressingCodec)?.workingBytes(recompressing: $0) } ?? 0
            case .losslessTransform: movedCoefficients
            // At most three bytes a pixel, twice if they are moved; pixels only if a search compares them.
            case .planar:
                (isResampled ? written * 3 : 0) + written * 3 + decoding + encoding
                    + (output.effort == .best ? written * 5 : 0)
            // The decoder's memory is freed before the encoder's is allocated.
            case .streaming: written * 4 * Double(1 + copyCount) + max(decoding, encoding, canvases)
            case .buffered: decoded + written * 4 * Double(1 + copyCount) + max(decoding, encoding, canvases)
            }
        // A search decodes its encodings.
        let searched = output.target.isSet ? written * 6 : 0
        return Int(min(bytes + searched, Double(Int.max / 2)))
    }
}

extension FractionalRectangle {
    init(_ rectangle: PixelRectangle) {
        self.init(
            x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.width),
            height: Double(rectangle.height))
    }

    /// Returns where this rectangle of an image moved by `orientation` was before the move.
    ///
    /// - Parameter displayed: the size of the image after the move.
    func undoing(_ orientation: Orientation, displayed: PixelSize) -> FractionalRectangle {
        let x = orientation.mirrorsX ? Double(displayed.width) - self.x - width : self.x
        let y = orientation.mirrorsY ? Double(displayed.height) - self.y - height : self.y
        return orientation.transposes
            ? FractionalRectangle(x: y, y: x, width: height, height: width)
            : FractionalRectangle(x: x, y: y, width: width, height: height)
    }
}
